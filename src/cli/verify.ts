import { existsSync } from "node:fs";
import type { Command } from "commander";
import { signingKeys } from "../../db/queries/signing-keys.ts";
import { openReader, type Reader } from "../../db/sqlite/verification.ts";
import type { Store } from "../../db/store.ts";
import type { Settings } from "../config/settings.ts";
import { type AuditFindings, type ChainPlace, verifyAudit } from "../execution/audit-check.ts";
import { verifyCharges } from "../execution/credits/agreement.ts";
import { verifyLedger } from "../execution/credits/verify.ts";
import { verifyUsage } from "../execution/usage/verify.ts";
import type { PublicJwk } from "../identity/keyring.ts";
import { verifyJobs } from "../jobs/verify.ts";
import { second } from "../platform/clock.ts";
import { createFindings, type Findings } from "../platform/findings.ts";
import { verifySolutions } from "../products/architect/verify.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { missingRows, missingTables } from "../products/datasets/missing.ts";
import { verifyValidations } from "../products/validator/verify.ts";
import { verifyRuns } from "../runs/audited.ts";
import { verifyReceipts } from "../runs/verify.ts";
import { entryText, notedOption } from "./admin-audit.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { rowsBack } from "./health/datasets.ts";
import { type Paths, pathsOf, withStore } from "./installation.ts";
import { CommandError, type Io } from "./io.ts";

type Progress = (done: string) => void;
/** A check's findings. Those of the audit log name its last entry. */
type Checked = Findings & Partial<Pick<AuditFindings, "last">>;
type Check = (progress: Progress) => Promise<Checked>;

/** Maximum number of lines shown of SQLite's own check. */
const integrityLines = 20;

async function verifyFile(reader: Reader): Promise<Findings> {
  const findings = createFindings("database");
  findings.count();
  for (const line of reader.integrity(integrityLines)) findings.problem(line);
  return findings.result();
}

/** Returns a check's findings; if the file is too damaged for the check, its error. */
async function findingsOf(name: string, check: Check, progress: Progress): Promise<Checked> {
  try {
    return await check(progress);
  } catch (error) {
    return { name, checked: 0, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Returns a line for each imported table whose rows can't be read. Warnings, as rows are not in the database. */
async function unreadableRows({ read }: Store, paths: Paths): Promise<string[]> {
  const { missing } = await missingTables(read, new DatasetFolder(paths.datasets));
  return missing.map(missingRows);
}

/**
 * Returns a warning if there is no master key to decrypt the signing keys with. Nothing that is verified needs it, but a
 * server does not start without it.
 */
async function missingKey({ read }: Store, { master_key }: Settings, { masterKey }: Paths): Promise<string[]> {
  if (master_key !== undefined || existsSync(masterKey) || (await signingKeys(read)).length === 0) return [];
  return [
    `The master key was not checked: there is no ${masterKey}, and master_key is not set. The server does not start without it; \`assay doctor\` checks it.`,
  ];
}

/** Runs all checks in order. `noted` is an entry that the audit log must have. */
async function verifyAll(
  store: Store,
  reader: Reader,
  noted: ChainPlace | undefined,
  progress: Progress,
): Promise<Checked[]> {
  const jwks = async () => (await signingKeys(store.read)).map((key) => JSON.parse(key.public_jwk_json) as PublicJwk);
  const checks: Readonly<Record<string, Check>> = {
    database: () => verifyFile(reader),
    ledger: (tell) => verifyLedger(reader, tell),
    charges: (tell) => verifyCharges(reader, tell),
    runs: (tell) => verifyRuns(reader, tell),
    usage: (tell) => verifyUsage(reader, tell),
    jobs: (tell) => verifyJobs(reader, tell),
    validations: async (tell) => verifyValidations(reader, tell),
    solutions: async (tell) => verifySolutions(reader, tell),
    receipts: async (tell) => verifyReceipts(reader, await jwks(), tell),
    audit: (tell) => verifyAudit(store.read, { progress: tell, noted }),
  };
  const all: Checked[] = [];
  for (const [name, check] of Object.entries(checks)) {
    progress(name);
    all.push(await findingsOf(name, check, progress));
  }
  return all;
}

/** Returns a progress callback that prints at most once a second, and nothing in the first second. */
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
    .description(
      "Verify that balances, charges, runs, usage, jobs, receipts and the audit log agree, and check the database file",
    )
    .addOption(notedOption())
    .option("--json", jsonHelp)
    .action(async ({ json, noted }: { json?: boolean; noted?: ChainPlace }) => {
      const { settings } = configure();
      const paths = pathsOf(settings);
      const { checks, rows, keys } = await withStore(paths, async (store) => {
        const reader = openReader(paths.database);
        try {
          const all = await verifyAll(store, reader, noted, everySecond(io));
          // A damaged database can't be relied on to list its dataset files.
          const isRight = all.every(({ problems }) => problems.length === 0);
          if (!isRight) return { checks: all, rows: [], keys: [] };
          const keys = await missingKey(store, settings, paths);
          return { checks: all, rows: await unreadableRows(store, paths), keys };
        } finally {
          reader.close();
        }
      });
      const wrong = checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
      const warnings = [...rows, ...keys];
      for (const warning of [...rows, ...(rows.length > 0 ? [rowsBack(paths)] : []), ...keys]) io.err(warning);
      if (json) printJson(io, { ok: wrong.length === 0, checks, warnings });
      else
        for (const { name, checked, problems, last } of checks) {
          const end = last ? `, last entry ${entryText(last)}` : "";
          io.out(`${name}: ${problems.length === 0 ? "ok" : "WRONG"} (${checked} checked${end})`);
          for (const problem of problems) io.out(`  ${problem}`);
        }
      if (wrong.length > 0)
        throw new CommandError(
          1,
          "the installation failed verification",
          "Keep the database file, and restore the last good backup.",
        );
    });
}
