import type { CountedDay, Days } from "../../../db/queries/key-days.ts";
import { studyCharges } from "../../../db/queries/validations.ts";
import type { Db } from "../../../db/store.ts";
import { day, rfc3339 } from "../../platform/clock.ts";

/**
 * Returns what imported studies were charged on the days: credits of the market validator that belong to no run, so no
 * run is counted. Included in every usage report, which otherwise would not add up to the ledger.
 */
export async function chargedStudies(
  db: Db,
  firm_id: string,
  { workspace_ids, from, to }: Days,
): Promise<CountedDay[]> {
  const span = { workspace_ids, from: Date.parse(from), before: Date.parse(to) + day };
  return (await studyCharges(db, firm_id, span)).map(({ charged_at, charged_credits }) => ({
    day: rfc3339(charged_at ?? 0).slice(0, 10),
    subject: "market-validator",
    runs: 0,
    succeeded: 0,
    credits: charged_credits ?? 0,
  }));
}
