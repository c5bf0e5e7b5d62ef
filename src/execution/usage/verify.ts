import type { Reader } from "../../../db/sqlite/verification.ts";
import { breathe, createFindings, type Findings } from "../../platform/findings.ts";

/** Lines of one table that are worth reading. */
const linesOfTable = 20;

/**
 * Checks what statements of usage and lists are read from, against the runs and transfers that it follows from: days of
 * runs and of keys, trials and monthly runs, and the lists by workspace. `assay verify` calls it.
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
        findings.problem(`${table}${part && ` of ${part}`} has ${kept}, what it follows from makes ${counted}`);
      await breathe();
    }
  });
  return findings.result();
}
