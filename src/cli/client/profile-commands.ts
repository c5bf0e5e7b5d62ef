import type { Command } from "commander";
import { jsonHelp, printJson } from "../context.ts";
import type { Io } from "../io.ts";
import { type Profile, profileNamed, profilesOf, withInUse } from "./profiles.ts";
import { harmless, printLines, table } from "./screen.ts";
import { signOut, stillValid } from "./sign-in.ts";
import { changeStored, readStored, serverOf } from "./store.ts";

/** Describes a profile's credential. Shows only the public prefix of a key. */
function credentialOf({ signIn: { api_key, session } }: Profile): string {
  if (api_key) return `${api_key.slice(0, 17)}…${session ? " and a session" : ""}`;
  return session ? "a session" : "none";
}

async function list(io: Io, json: boolean | undefined): Promise<void> {
  const all = profilesOf(await readStored(io));
  if (json)
    return printJson(io, {
      profiles: all.map(({ name, signIn, inUse }) => ({
        name,
        base_url: serverOf(signIn),
        in_use: inUse,
        signed_in: signIn.session !== undefined,
      })),
    });
  if (all.length === 0) return io.err("You are not signed in. Sign in with: assay login");
  const columns = [
    { title: "in use", cell: ({ inUse }: Profile) => (inUse ? "yes" : "") },
    { title: "profile", cell: ({ name }: Profile) => name },
    { title: "server", cell: ({ signIn }: Profile) => serverOf(signIn) },
    { title: "credential", cell: credentialOf },
  ];
  printLines(io, table(io, columns, all));
}

async function use(io: Io, name: string): Promise<void> {
  await changeStored(io, async (now) => {
    const chosen = profileNamed(now, name);
    return chosen.inUse ? now : withInUse(now, name, chosen.signIn);
  });
  io.err(harmless(`Now using ${name}. Check with: assay whoami`));
}

/** `assay profile list|use|remove`, on the group `assay profile`. */
export function registerProfiles(group: Command, io: Io): void {
  group
    .command("list")
    .description("List the sign-ins stored here, of several servers or accounts")
    .option("--json", jsonHelp)
    .action(async (_options, command: Command) => list(io, command.optsWithGlobals<{ json?: boolean }>().json));
  group
    .command("use <name>")
    .description("Use another sign-in from now on; the others stay signed in")
    .action((name: string) => use(io, name));
  group
    .command("remove <name>")
    .description("Revoke what `assay login` created for a sign-in, and delete it")
    .action(async (name: string) => {
      const profile = profileNamed(await readStored(io), name);
      await signOut(io, profile);
      io.err(harmless(`Removed: ${name}.${stillValid(profile)}`));
    });
}
