#!/usr/bin/env bun
import { executable } from "./chromium.ts";

// `bun test/browser/install.ts` installs Debian's Chromium and tmux for the tests of pages and terminals, if that is
// possible without a prompt.
const missing = [...(executable === undefined ? ["chromium"] : []), ...(Bun.which("tmux") === null ? ["tmux"] : [])];
const commands = [
  ["apt-get", "update", "-qq"],
  ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing],
];
const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
if (missing.length > 0 && Bun.which("apt-get") && process.getuid?.() === 0)
  for (const command of commands)
    await Bun.spawn(command, { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" }).exited;
