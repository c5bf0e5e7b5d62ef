import type { Command } from "commander";
import {
  type ExaFilterInput,
  ExaFilterOutput,
  ExaFilterInput as InputSchema,
} from "../../products/capabilities/exa-filter/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { capabilities } from "./catalogue.ts";
import { apiFor, conforms } from "./http.ts";
import { collect, readText } from "./input.ts";
import { startRun } from "./run.ts";
import { failUnlessSucceeded } from "./runs.ts";
import { outline, paint, printLines, section, type Tone, wrap } from "./screen.ts";
import { type ClientOptions, clientOptions, suggesting } from "./settings.ts";
import { waitForRun } from "./wait.ts";

const exaFilterPath = `${capabilities.path}/exa-filter`;

const passageLimit = InputSchema.properties.sources.items.maxLength ?? 0;
const passagesLimit = InputSchema.properties.sources.maxItems ?? 0;

/** Where a text can be split, best first: between paragraphs, sentences, words. */
const pauses = [/\n\s*\n/g, /[.!?]\s/g, /\s/g];

/** Returns where to split a text: after the last paragraph within the limit, else sentence, else word. */
function cut(text: string, limit: number): number {
  const head = text.slice(0, limit);
  for (const pause of pauses) {
    const last = [...head.matchAll(pause)].at(-1);
    if (last && last.index > 0) return last.index + 1;
  }
  // Never splits a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) ? limit - 1 : limit;
}

/** Splits a source into passages that the capability accepts, between paragraphs, sentences or words. */
export function passagesOf(text: string, limit = passageLimit): string[] {
  const passages: string[] = [];
  let rest = text.trim();
  while (rest.length > limit) {
    const at = cut(rest, limit);
    passages.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return rest === "" ? passages : [...passages, rest];
}

interface CheckOptions extends ClientOptions {
  readonly question: string;
  readonly answer: string;
  readonly source?: readonly string[];
  readonly country?: ExaFilterInput["country"];
  readonly strict?: boolean;
  readonly idempotencyKey?: string;
}

/** Returns a source's passages. Throws exit 2 if it has no text, as other documents would be checked instead. */
async function sourceOf(io: Io, path: string): Promise<string[]> {
  const text = await readText(io, path);
  if (/[\p{L}\p{N}]/u.test(text)) return passagesOf(text);
  throw new CommandError(
    2,
    `${path === "-" ? "stdin" : path} contains no text that could support an answer.`,
    "Give another --source, or none to check the answer against the imported documents.",
  );
}

async function inputOf(io: Io, { question, answer, source = [], country }: CheckOptions): Promise<ExaFilterInput> {
  if ([answer, ...source].filter((path) => path === "-").length > 1)
    throw new CommandError(2, "Only one of --answer and --source can be stdin.");
  const sources: string[] = [];
  for (const path of source) sources.push(...(await sourceOf(io, path)));
  if (sources.length > passagesLimit)
    throw new CommandError(
      2,
      `The sources make ${sources.length} passages of up to ${passageLimit} characters; at most ${passagesLimit} can be sent.`,
      "Give only the parts that should support the answer.",
    );
  const text = (await readText(io, answer)).trim();
  return { question, answer: text, ...(sources.length > 0 && { sources }), ...(country && { country }) };
}

const tones: Readonly<Record<string, Tone>> = { OK: "good", WARN: "warn", FAIL: "bad" };
const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Prints a verdict with its claims. */
export function printVerdict(io: Io, verdict: ExaFilterOutput): void {
  const { trust_state, faithfulness_score, confidence_score, verdict_text, claims = [], sources } = verdict;
  const scores = [
    faithfulness_score !== undefined && `faithfulness ${percent(faithfulness_score)}`,
    confidence_score !== undefined && `confidence ${percent(confidence_score)}`,
    `${sources.length} supporting ${sources.length === 1 ? "source" : "sources"}`,
  ].filter((part) => part !== false);
  io.out(`${paint(io, tones[trust_state], trust_state)}  ${scores.join(" · ")}`);
  if (verdict_text) printLines(io, wrap(verdict_text, io.columns));
  const lines = claims.flatMap(({ supported, probability, text, reason }) => {
    const mark = supported ? "+" : "-";
    const [first = "", ...more] = wrap(`${text} (${percent(probability)})`, io.columns - 2);
    return [
      `${paint(io, supported ? "good" : "bad", mark)} ${first}`,
      ...[...more, ...(reason ? wrap(reason, io.columns - 2) : [])].map((line) => `  ${line}`),
    ];
  });
  section(io, "Claims (+ supported, - not supported)", lines);
}

async function check(io: Io, options: CheckOptions): Promise<void> {
  const input = await inputOf(io, options);
  const api = await apiFor(io, options);
  const started = await startRun(io, api, exaFilterPath, { input }, options.idempotencyKey);
  const { run, text } = await waitForRun(api, io, started.run.id);
  if (options.json) io.out(text);
  failUnlessSucceeded(run);
  const verdict = conforms(ExaFilterOutput, run.result) ? run.result : undefined;
  if (!options.json && verdict) printVerdict(io, verdict);
  if (!options.json && !verdict) printLines(io, outline(run.result, io.columns));
  if (options.strict && verdict?.trust_state === "FAIL")
    throw new CommandError(1, "The verdict is FAIL, and --strict is given.");
}

/** `assay check`: runs the capability exa-filter on files. */
export function registerCheck(program: Command, io: Io): void {
  clientOptions(program.command("check").description("Check whether an answer is supported by its sources"))
    .requiredOption("--question <text>", "what was asked")
    .requiredOption("--answer <file>", "the answer to check; - reads it from stdin")
    .option("--source <file>", "text that should support the answer; repeatable, - for stdin", collect)
    .addOption(suggesting("--country <code>", "country of the insurance terms", InputSchema.properties.country.enum))
    .option("--strict", "exit 1 when the verdict is FAIL")
    .option("--idempotency-key <key>", "8 to 200 characters; the same key and input give the same run")
    .action(async (_options, command: Command) => check(io, command.optsWithGlobals<CheckOptions>()));
}
