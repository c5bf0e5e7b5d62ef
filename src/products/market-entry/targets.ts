import type { Datasets } from "../../../db/datasets.ts";
import type { Engine } from "../../contracts/engine.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { folded } from "../datasets/phrases.ts";
import { countryName } from "../datasets/places.ts";
import { type Icp, judged, readIcp } from "./icp.ts";
import type { Reason, Target, TargetsInput, TargetsOutput } from "./schema.ts";
import { creditsPerTarget, unreadNotes, wantedTargets } from "./target-items.ts";
import { type Candidate, type TargetUniverse, universesOf } from "./universe.ts";

/** Number of best rows kept during the scan; duplicates are removed at the end. */
const kept = 10 * wantedTargets;
/** Maximum number of reported reasons why rows are outside. */
const toldReasons = 6;

interface Inside {
  readonly candidate: Candidate;
  readonly reasons: readonly Reason[];
}

/** The state of a search, which yields to other work between pages. */
interface Search {
  rows: number;
  outside: number;
  readonly why: Map<string, number>;
  best: Inside[];
}

const text = ({ fields }: Candidate, name: string): string | null => {
  const value = fields[name];
  return value === undefined || value === null || value === "" ? null : String(value);
};

/** Orders by more reasons, then the more reliable row, then id, so that the same universe gives the same order. */
const inOrder = (a: Inside, b: Inside): number =>
  b.reasons.length - a.reasons.length ||
  (text(a.candidate, "reliability") ?? "D").localeCompare(text(b.candidate, "reliability") ?? "D") ||
  (a.candidate.id < b.candidate.id ? -1 : 1);

function judgePage(icp: Icp, page: readonly Candidate[], search: Search): void {
  for (const candidate of page) {
    search.rows++;
    const verdict = judged(icp, candidate);
    if ("reasons" in verdict) search.best.push({ candidate, reasons: verdict.reasons });
    else {
      search.outside++;
      search.why.set(verdict.outside, (search.why.get(verdict.outside) ?? 0) + 1);
    }
  }
  search.best = search.best.sort(inOrder).slice(0, kept);
}

function targetOf({ candidate, reasons }: Inside): Target {
  const { persons } = candidate.fields;
  return {
    candidate_id: candidate.id,
    name: text(candidate, "name") ?? "",
    country: candidate.country,
    ...{ city: text(candidate, "city"), sector: text(candidate, "sector"), website: text(candidate, "website") },
    ...{ source: text(candidate, "source"), reliability: text(candidate, "reliability") ?? "D" },
    persons: typeof persons === "number" ? persons : null,
    score: reasons.length,
    reasons: [...reasons],
  };
}

/** Returns the first targets without duplicates: rows with the same name and city count as one firm. */
function firstOf(best: readonly Inside[]): Target[] {
  const seen = new Set<string>();
  const targets: Target[] = [];
  for (const inside of best) {
    const firm = folded(`${text(inside.candidate, "name")}|${text(inside.candidate, "city")}`);
    if (seen.has(firm) || targets.length === wantedTargets) continue;
    seen.add(firm);
    targets.push(targetOf(inside));
  }
  return targets;
}

async function citiesOf(universe: TargetUniverse, runtime: Pick<Runtime, "nextTurn">, signal: AbortSignal) {
  const cities = new Set<string>();
  for (const page of universe.pages()) {
    for (const candidate of page) cities.add(text(candidate, "city") ?? "");
    await runtime.nextTurn();
    signal.throwIfAborted();
  }
  return cities;
}

const notesOf = (universes: readonly TargetUniverse[], markets: readonly string[], found: number): string[] => {
  const without = markets.filter((market) => !universes.some(({ country }) => country === market));
  return [
    ...without.map((market) => `No universe of firms is imported for ${countryName(market, "en")}.`),
    ...(found < wantedTargets
      ? [`${found} of ${wantedTargets} targets were found; the credits of the others are released.`]
      : []),
    "Rows are of registers and directories, deduplicated by name and place only; check each before you rely on it.",
  ];
};

/** The step `targets`: returns the ten rows that fit the ICP best. Charges for the targets found. */
export const targetsEngine = ({
  datasets,
  runtime,
}: {
  readonly datasets: Datasets;
  readonly runtime: Pick<Runtime, "nextTurn">;
}): Engine<TargetsInput, TargetsOutput> => ({
  identity: { name: "targets", version: "1.0.0", model: null },
  ready: () => null,
  async run({ target_adviser_icp, markets }, { signal, progress }) {
    const universes = await universesOf(datasets, markets);
    const search: Search = { rows: 0, outside: 0, why: new Map(), best: [] };
    let icp = readIcp(target_adviser_icp, new Set());
    for (const [i, universe] of universes.entries()) {
      icp = readIcp(target_adviser_icp, await citiesOf(universe, runtime, signal));
      for (const page of universe.pages()) {
        judgePage(icp, page, search);
        progress?.("comparing with the ICP", i, universes.length);
        await runtime.nextTurn();
        signal.throwIfAborted();
      }
    }
    const targets = firstOf(search.best);
    const why = [...search.why].sort(([, a], [, b]) => b - a).slice(0, toldReasons);
    const unread = { not_read: [...icp.unread], elsewhere: [...icp.elsewhere] };
    const result: TargetsOutput = {
      ...{ wanted: wantedTargets, found: targets.length, targets },
      searched: {
        ...{ rows: search.rows, outside: search.outside, version: universes[0]?.version ?? 0 },
        reasons: why.map(([demand, rows]) => `${rows} rows do not meet: ${demand}`),
      },
      read_as: icp.demands.map(({ read_as }) => read_as),
      ...unread,
      notes: [...unreadNotes(unread), ...notesOf(universes, markets, targets.length)],
    };
    return { result, credits: creditsPerTarget * targets.length };
  },
});
