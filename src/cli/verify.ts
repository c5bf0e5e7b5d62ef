import type { Command } from "commander";
import { signingKeys } from "../../db/queries/signing-keys.ts";
import { openReader, type Reader } from "../../db/sqlite/verification.ts";
import type { Store } from "../../db/store.ts";
import { verifyAudit } from "../execution/audit-check.ts";
import { verifyLedger } from "../execution/credits/verify.ts";
import type { PublicJwk } from "../identity/keyring.ts";
import { verifyJobs } from "../jobs/verify.ts";
import { second } from "../platform/clock.ts";
import { createFindings, type Findings } from "../platform/findings.ts";
import { verifySolutions } from "../products/architect/verify.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { missingRows, missingTables } from "../products/datasets/missing.ts";
import { verifyValidations } from "../products/validator/verify.ts";
import { verifyReceipts } from "../runs/verify.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { rowsBack } from "./health/datasets.ts";
import { type Paths, pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";

type Progress = (done: string) => void;
type Check = (progress: Progress) => Promise<Findings>;

/** Lines of SQLite's own check that are worth reading. */
const integrityLines = 20;

async function verifyFile(reader: Reader): Promise<Findings> {
  const findings = createFindings("database");
  findings.count();
  for (const line of reader.integrity(integrityLines)) findings.problem(line);
  return findings.result();
}

/** A check's findings, also when the file is so broken that it can't be carried out. */
async function findingsOf(name: string, check: Check, progress: Progress): Promise<Findings> {
  try {
    return await check(progress);
  } catch (error) {
    return { name, checked: 0, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Imported tables whose rows can't be read, a line each. They are no part of the database, which this is about. */
async function unreadableRows({ read }: Store, paths: Paths): Promise<string[]> {
  const { missing } = await missingTables(read, new DatasetFolder(paths.datasets));
  return missing.map(missingRows);
}

async function verifyAll(store: Store, reader: Reader, progress: Progress): Promise<Findings[]> {
  const jwks = async () => (await signingKeys(store.read)).map((key) => JSON.parse(key.public_jwk_json) as PublicJwk);
  const checks: Readonly<Record<string, Check>> = {
    database: () => verifyFile(reader),
    ledger: (tell) => verifyLedger(reader, tell),
    jobs: (tell) => verifyJobs(reader, tell),
    validations: async (tell) => verifyValidations(reader, tell),
    solutions: async (tell) => verifySolutions(reader, tell),
    receipts: async (tell) => verifyReceipts(reader, await jwks(), tell),
    audit: (tell) => verifyAudit(store.read, tell),
  };
  const all: Findings[] = [];
  for (const [name, check] of Object.entries(checks)) {
    progress(name);
    all.push(await findingsOf(name, check, progress));
  }
  return all;
}

/** Tells at most once a second how far it is, and nothing when all is done sooner. */
function everySecond(io: Io): Progress {
  const { runtime } = io;
  let told = runtime.elapsed();
  return (done) => {
    if (runtime.elapsed() - told < second) return;
    told = runtime.elapsed();
    io.err(done);
  };
}

/** `assay verify` */
export function register(program: Command, { io, configure }: Context): void {
  program
    .command("verify")
    .description("prove balances, charges, jobs, receipts and the audit chain, and check the database file")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const paths = pathsOf(configure().settings);
      const { checks, warnings } = await withStore(paths, async (store) => {
        const reader = openReader(paths.database);
        try {
          const all = await verifyAll(store, reader, everySecond(io));
          // A file that is wrong can't tell what belongs beside it.
          const isRight = all.every(({ problems }) => problems.length === 0);
          return { checks: all, warnings: isRight ? await unreadableRows(store, paths) : [] };
        } finally {
          reader.close();
        }
      });
      const wrong = checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
      for (const warning of warnings) io.err(warning);
      if (warnings.length > 0) io.err(rowsBack(paths));
      if (flags.json) printJson(io, { ok: wrong.length === 0, checks, warnings });
      else
        for (const { name, checked, problems } of checks) {
          io.out(`${name}: ${problems.length === 0 ? "ok" : "WRONG"} (${checked} checked)`);
          for (const problem of problems) io.out(`  ${problem}`);
        }
      if (wrong.length > 0)
        throw new CommandError(
          1,
          "the installation does not verify",
          "Keep the file, and restore the last good backup.",
        );
    });
}
