import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The pinned client generators, each installed at first use into a cache in `node_modules`. */

export const root = join(import.meta.dir, "..", "..");
const pins = join(import.meta.dir, "tools");
export const cache = join(root, "node_modules", ".cache", "clients");
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to completion. */
export async function run(command: readonly string[], cwd = root, env: Record<string, string> = {}): Promise<Ended> {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output: out + err };
}

/** Runs a program to completion and returns its output; throws if it fails. */
export async function done(command: readonly string[], cwd = root, env: Record<string, string> = {}): Promise<string> {
  const { code, output } = await run(command, cwd, env);
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}:\n${output}`);
  return output;
}

/** Creates a folder atomically, so that an existing folder is complete. */
async function once(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const making = `${folder}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  await make(making);
  renameSync(making, folder);
  return folder;
}

/** Returns the folder with the npm generators. */
export const npmTools = (): Promise<string> =>
  once("npm", async (folder) => {
    for (const file of ["package.json", "bun.lock"]) cpSync(join(pins, file), join(folder, file));
    await done([process.execPath, "install", "--frozen-lockfile"], folder);
  });

/**
 * Returns the folder with the Python generators. It is not moved after creation, because its programs contain its path.
 */
export async function pythonTools(): Promise<string> {
  const folder = join(cache, "python");
  const whole = join(folder, "whole");
  if (!existsSync(whole)) {
    rmSync(folder, { recursive: true, force: true });
    await done(["python3", "-m", "venv", folder]);
    await done([join(folder, "bin", "pip"), "install", "--quiet", "-r", join(pins, "requirements.txt")]);
    await Bun.write(whole, "");
  }
  return folder;
}

/** Returns the path of the Go generator. */
export const goGenerator = async (): Promise<string> =>
  join(await once("go", (GOBIN) => done(["go", "install", oapiCodegen], root, { GOBIN })), "oapi-codegen");
