/** Returns the command's name: the first argument that is not an option, a global option's value or `help`. */
export function commandName(argv: readonly string[]): string | undefined {
  const isOption = (word: string, i: number) =>
    word.startsWith("-") || ["--data", "--config", "--env-file"].includes(argv[i - 1] ?? "");
  return argv.find((word, i) => !isOption(word, i) && word !== "help");
}
