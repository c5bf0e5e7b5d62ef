import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FromCopy, ToCopy } from "../../db/sqlite/backup-thread.ts";
import type { BackupFile, BackupJob, InstallationTools } from "../contracts/installation.ts";
import { rfc3339 } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import { makeFolderDurably } from "../platform/files.ts";
import type { Log } from "../platform/log.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Runtime } from "../platform/runtime.ts";
import { checksumFile } from "./checksum.ts";
import type { Paths } from "./installation.ts";
import { writeBackup } from "./upgrade.ts";

/** Names of backups made on request or before migrations. */
const whole = /^(backup|before)-[\w-]+\.db$/;
const draft = /^backup-[\w-]+\.db\.partial$/;

/** Copies in a worker thread: SQLite copies a database in one call, which would block every request. */
const copyInThread = (runtime: Pick<Runtime, "thread">) => (database: string, target: string) =>
  new Promise<void>((resolve, reject) => {
    const thread = runtime.thread("backup", {
      message(data) {
        const answer = data as FromCopy;
        thread.end();
        if ("failed" in answer) reject(new Error(answer.failed));
        else resolve();
      },
      ended: (cause) => reject(new Error(String(cause))),
    });
    thread.post({ database, target } satisfies ToCopy);
  });

function fileIn(folder: string, file: string): BackupFile {
  const path = join(folder, file);
  const { size, mtimeMs } = statSync(path);
  const sum = checksumFile(path);
  const sha256 = existsSync(sum) ? (readFileSync(sum, "utf8").split(" ")[0] ?? null) : null;
  return { file, bytes: size, sha256, created_at: Math.round(mtimeMs) };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the result of `work` on the backups folder. Throws `backups_unavailable` if the system refuses it. */
async function usable<T>(work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure("backups_unavailable", error);
  }
}

/** Returns the backups of a running server, which are made one at a time, in `backups` below its data folder. */
export function serverBackups(
  runtime: Pick<Runtime, "now" | "thread">,
  log: Log,
  paths: Paths,
): InstallationTools["backups"] {
  const folder = paths.backups;
  let last: BackupJob | undefined;

  async function clear(): Promise<void> {
    await makeFolderDurably(folder, 0o700);
    // Drafts left by a killed process.
    for (const name of readdirSync(folder)) if (draft.test(name)) rmSync(join(folder, name), { force: true });
  }

  async function write(job: BackupJob): Promise<void> {
    try {
      await writeBackup(paths.database, join(folder, job.file), copyInThread(runtime));
      last = { ...job, status: "succeeded" };
    } catch (error) {
      log.error("a backup could not be written", { file: job.file, error });
      last = { ...job, status: "failed", error: reasonOf(error) };
    }
  }

  return {
    async start() {
      if (last?.status === "running") return last;
      const started_at = runtime.now();
      const job: BackupJob = {
        file: `backup-${rfc3339(started_at).replace(/[:.-]/g, "")}.db`,
        started_at,
        status: "running",
        error: null,
      };
      last = job;
      try {
        await usable(clear);
      } catch (error) {
        last = { ...job, status: "failed", error: reasonOf(error) };
        throw error;
      }
      void write(job);
      return job;
    },
    last: () => last,
    list: () =>
      usable(() => {
        if (!existsSync(folder)) return [];
        const files = readdirSync(folder).filter((name) => whole.test(name));
        return files.map((name) => fileIn(folder, name)).toSorted((a, b) => b.created_at - a.created_at);
      }),
  };
}
