import type { Reader, StoredSolution } from "../../../db/sqlite/verification.ts";
import { createFindings, type Findings } from "../../platform/findings.ts";
import { canonicalHash } from "../../platform/json.ts";
import type { Saved } from "./builder-spec.ts";

const pageSize = 500;

/** Yields what is wrong with one solution, one line each. */
function* solutionProblems({ id, state, saved_json, saved_sha256, snapshot_json }: StoredSolution): Generator<string> {
  const { value } = JSON.parse(snapshot_json) as { value: string };
  if (value !== state) yield `solution ${id} is ${state}, its snapshot says ${value}`;
  if (state === "saved" && saved_json === null) yield `solution ${id} is saved, and nothing of it is kept`;
  if ((saved_json === null) !== (saved_sha256 === null))
    yield `solution ${id}: what was saved has no hash, or the hash nothing`;
  if (saved_json === null) return;
  const { composition, design } = JSON.parse(saved_json) as Saved;
  const { sha256, ...whole } = composition;
  if (sha256 !== saved_sha256 || canonicalHash(whole) !== saved_sha256)
    yield `solution ${id}: its document is not what was saved`;
  if (canonicalHash(design.price) !== canonicalHash(composition.price))
    yield `solution ${id}: its design has another price than its document`;
}

function problemsOf(solution: StoredSolution): string[] {
  try {
    return [...solutionProblems(solution)];
  } catch (error) {
    return [`solution ${solution.id} can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Checks each solution against its snapshot, and its saved form against its hash. Called by `assay verify`. */
export function verifySolutions(reader: Reader, progress?: (done: string) => void): Findings {
  const findings = createFindings("solutions", progress);
  let after = "";
  for (;;) {
    const page = reader.solutions(after, pageSize);
    for (const solution of page) {
      findings.count();
      for (const line of problemsOf(solution)) findings.problem(line);
      after = solution.id;
    }
    if (page.length < pageSize) return findings.result();
  }
}
