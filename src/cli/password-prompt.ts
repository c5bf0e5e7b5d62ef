import { passwordMistake } from "../accounts/auth/passwords.ts";
import type { Io } from "./io.ts";

/** Asks for a new password twice, without echo, until it is acceptable. Returns "" if nothing was typed. */
export async function chosenPassword(io: Io, prompt: NonNullable<Io["ask"]>, question: string): Promise<string> {
  for (;;) {
    const password = await prompt(question, "hidden");
    if (password === "") return "";
    const mistake = passwordMistake(password);
    if (mistake !== undefined) io.err(`It ${mistake}.`);
    else if ((await prompt("Repeat the password: ", "hidden")) === password) return password;
    else io.err("The passwords differ.");
  }
}
