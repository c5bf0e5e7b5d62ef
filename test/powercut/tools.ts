import { existsSync } from "node:fs";
import { join } from "node:path";

/** The simulator and its schedules: programs of their own, which are handed an executable. */
export const simulator = join(import.meta.dir, "..", "..", "..", "shared", "powercut");

/** Whether a system call may be traced here: a container can forbid it. */
const canTrace = (): boolean =>
  Bun.spawnSync(["strace", "--seccomp-bpf", "-f", "-qq", "-o", "/dev/null", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  }).exitCode === 0;

/** What keeps the power cuts from being simulated on this machine, in words; undefined when nothing does. */
export function powercutObstacle(): string | undefined {
  if (!existsSync(simulator)) return "../shared/powercut is not there";
  const missing = ["strace", "python3", "gcc", "curl", "bash", "timeout"].filter((name) => !Bun.which(name));
  if (missing.length > 0) return `${missing.join(", ")} not found`;
  return canTrace() ? undefined : "strace may not trace here";
}
