#!/usr/bin/env bun
import { executable } from "./chromium.ts";

// `bun test/browser/install.ts`: puts Debian's Chromium in place for the browser tests, where that can be done unasked.
const commands = [
  ["apt-get", "update", "-qq"],
  ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
];
const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
if (executable === undefined && Bun.which("apt-get") && process.getuid?.() === 0)
  for (const command of commands)
    await Bun.spawn(command, { env, stdin: "ignore", stdout: "ignore", stderr: "inherit" }).exited;
