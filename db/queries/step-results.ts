import { prepared } from "../prepared.ts";
import type { StepResultTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const insertStepResult = prepared<StepResultTable>((db, value) =>
  db
    .insertInto("step_results")
    .values({ run_seq: value("run_seq"), step: value("step"), result_json: value("result_json") }),
);

/** Erases a step's result. Withheld output is stored nowhere. */
export const deleteStepResult = prepared<Omit<StepResultTable, "result_json">>((db, value) =>
  db.deleteFrom("step_results").where("run_seq", "=", value("run_seq")).where("step", "=", value("step")),
);

/** The long results of a run's steps. The caller must have checked access to the run. */
export const resultsOfRun = prepared<{ run_seq: number }, StepResultTable>((db, value) =>
  db.selectFrom("step_results").selectAll().where("run_seq", "=", value("run_seq")),
);

/** The long results of several runs, in one query. */
export const resultsOfRuns = (db: Db, run_seqs: readonly number[]): Promise<StepResultTable[]> =>
  db.selectFrom("step_results").selectAll().where("run_seq", "in", run_seqs).execute();
