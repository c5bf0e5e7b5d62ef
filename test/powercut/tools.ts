import { existsSync } from "node:fs";
import { join } from "node:path";

/** The simulator and its schedules: separate programs that are given an executable. */
export const simulator = join(import.meta.dir, "..", "..", "..", "shared", "powercut");

/** Checks whether system calls can be traced here; a container may forbid it. */
const canTrace = (): boolean =>
  Bun.spawnSync(["strace", "--seccomp-bpf", "-f", "-qq", "-o", "/dev/null", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  }).exitCode === 0;

/** Returns the reason why power cuts can't be simulated on this machine, or `undefined` if they can. */
export function powercutObstacle(): string | undefined {
  if (!existsSync(simulator)) return "../shared/powercut not found";
  const missing = ["strace", "python3", "gcc", "curl", "bash", "timeout"].filter((name) => !Bun.which(name));
  if (missing.length > 0) return `${missing.join(", ")} not found`;
  return canTrace() ? undefined : "strace cannot trace processes here";
}
