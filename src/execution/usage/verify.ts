import type { Reader } from "../../../db/sqlite/verification.ts";
import { breathe, createFindings, type Findings } from "../../platform/findings.ts";

/** Maximum number of differences reported per table. */
const linesOfTable = 20;

/**
 * Checks the tables behind usage statements and lists against the runs and transfers that they are derived from: run
 * days, key days, trials and monthly runs, and the lists by workspace. Called by `assay verify`.
 */
export async function verifyUsage(
  reader: Reader,
  progress: (done: string) => void = () => undefined,
): Promise<Findings> {
  const findings = createFindings("usage");
  await reader.atOneInstant(async () => {
    for (const { table, differing } of reader.keptTables(linesOfTable)) {
      findings.count();
      progress(`usage: ${table}`);
      for (const { part, kept, counted } of differing)
        findings.problem(`${table}${part && ` of ${part}`} has ${kept}, but the runs and transfers give ${counted}`);
      await breathe();
    }
  });
  return findings.result();
}
