import { type Command, Option } from "commander";
import { problems } from "../../platform/validate.ts";
import { RunValidationInput } from "../../products/capabilities/market-validator/schema.ts";
import {
  AudienceCreated,
  AudienceDetails,
  AudienceList,
  ValidationList,
  type ValidationResult,
  ValidationStarted,
  type ValidationStudy,
  ValidationStudy as ValidationStudySchema,
} from "../../products/validator/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, apiFor, bodyOf } from "./http.ts";
import { callTool } from "./mcp-tool.ts";
import { createProgress } from "./progress.ts";
import { age, facts, harmless, paint, printLines, section, type Tone, table, wrap } from "./screen.ts";
import { type ClientOptions, clientOptions } from "./settings.ts";
import { away, pollUntil, readRecord } from "./wait.ts";

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const tones: Readonly<Record<string, Tone>> = { GO: "good", "NO-GO": "bad", CONDITIONAL: "warn" };
const verdictTone = (verdict: string | null): Tone | undefined => tones[verdict ?? ""];

/** Returns the status to show: cancelled and failed studies have the status `completed` too. */
const endedAs = ({ status, outcome }: Pick<ValidationResult, "status" | "outcome">): string =>
  outcome === "cancelled" || outcome === "failed" ? outcome : status;

/** Prints a report's figures. */
function printReport(io: Io, report: NonNullable<ValidationResult["report"]>): void {
  const { interval, threshold, condition, segments, objections, price, card } = report;
  section(
    io,
    "Intent",
    facts(io, [
      ["share", `${percent(report.intent)}, 80 % interval ${percent(interval.low)} to ${percent(interval.high)}`],
      ["needed", percent(threshold)],
      ["answers", report.distribution.join(" ")],
      ["condition", condition?.text ?? null],
    ]),
  );
  const ladder = (price?.ladder ?? []).map((step) => `${step.price} EUR a year  ${percent(step.intent)}`);
  section(io, "Price ladder", ladder);
  section(
    io,
    "Segments",
    segments.map(({ label, intent, personas }) => `${label}  ${percent(intent)} (${personas})`),
  );
  section(
    io,
    "Objections",
    objections.map(({ label, share }) => `${label}  ${percent(share)}`),
  );
  const { engine, seed, note } = card;
  section(io, "Reliability", [
    `${note} ${engine.name} ${engine.version}${engine.model ? ` ${engine.model}` : ""}, seed ${seed}`,
  ]);
}

function printResult(io: Io, result: ValidationResult): void {
  const { simulation_id, progress, verdict, confidence, summary, error, report, dashboard_url } = result;
  io.out(paint(io, verdictTone(verdict), verdict ?? endedAs(result)));
  if (summary !== null) printLines(io, wrap(summary, io.columns));
  printLines(
    io,
    facts(io, [
      ["validation", simulation_id],
      ["asked", `${progress.completed} of ${progress.total}`],
      ["confidence", confidence === null ? null : percent(confidence)],
      ["error", error && `${error.message} (${error.code})`],
      ["page", dashboard_url],
    ]),
  );
  if (report) printReport(io, report);
}

async function read(api: Api, id: string, signal?: AbortSignal): Promise<{ study: ValidationStudy; text: string }> {
  const text = await readRecord(api, `/v1/validator/validations/${encodeURIComponent(id)}`, signal);
  return { study: bodyOf(ValidationStudySchema, text), text };
}

/** Waits for a verdict, with progress on stderr. Throws exit 1 if the study ends without one. */
async function watch(io: Io, api: Api, id: string, json: boolean | undefined): Promise<void> {
  const progress = createProgress(io);
  const told = ({ status, progress: { completed, total } }: ValidationStudy) =>
    `${status} · ${completed} of ${total} personas have answered`;
  const { study, text } = await pollUntil(
    io.runtime,
    (signal) => read(api, id, signal),
    (seen) => seen.study.status === "completed",
    { show: (seen) => progress(seen ? told(seen.study) : away) },
    new CommandError(
      130,
      `Stopped waiting. The validation continues: ${id}`,
      `Resume watching with: assay validations watch ${id}`,
    ),
  );
  if (json) io.out(text);
  else printResult(io, study);
  if (study.error)
    throw new CommandError(1, harmless(`The validation ended without a verdict: ${study.error.message}`));
}

interface ValidateOptions extends ClientOptions {
  readonly market?: string;
  readonly hypothesis: string;
  readonly audience?: string;
  readonly size?: string;
  readonly personas?: string;
  readonly wait?: boolean;
}

/** Parses an option's whole number within bounds. Throws exit 2 otherwise. */
function wholeBetween(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new CommandError(2, `${option} takes a whole number from ${least} to ${most}.`);
}

/** The members of a request for an audience that tell it from others. */
interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly size: number;
}

/** Returns an audience that the caller has already; `undefined` if there is none, or the key may not read them. */
async function existing(api: Api, { name, description, size }: Wanted): Promise<string | undefined> {
  try {
    const { audiences } = await callTool(api, "list_audiences", {}, AudienceList);
    const alike = audiences.filter((one) => one.name === name && one.personas_count === size);
    for (const { audience_id } of alike) {
      const { audience } = await callTool(api, "get_audience_details", { audience_id }, AudienceDetails);
      if (audience.description === description) return audience_id;
    }
  } catch (error) {
    if (!(error instanceof CommandError && error.exitCode === 3)) throw error;
  }
  return undefined;
}

/**
 * Returns the given audience, else the one of the market's adults. It is created only once, so that a validation that
 * is refused afterwards does not leave another one behind each time.
 */
async function audienceFor(api: Api, { audience, market, personas }: ValidateOptions): Promise<string> {
  if (audience !== undefined) return audience;
  if (market === undefined) throw new CommandError(2, "Name a market with --market, or an audience with --audience.");
  const description = `Adults of ${market}`;
  const size = personas === undefined ? 10 : wholeBetween("--personas", personas, 5, 50);
  const wanted = { name: description.slice(0, 120), description, size };
  const found = await existing(api, wanted);
  return found ?? (await callTool(api, "create_audience", { ...wanted, market }, AudienceCreated)).audience_id;
}

async function validate(io: Io, options: ValidateOptions): Promise<void> {
  const { market, size, wait, json } = options;
  const hypothesis = options.hypothesis === "-" ? (await io.stdin()).trim() : options.hypothesis;
  const [problem] = problems(RunValidationInput.properties.hypothesis, hypothesis, "--hypothesis");
  if (problem) throw new CommandError(2, `${problem.path} ${problem.message}.`);
  const api = await apiFor(io, options);
  const audience_id = await audienceFor(api, options);
  const asked = {
    hypothesis,
    audience_id,
    ...(market !== undefined && { market }),
    ...(size !== undefined && { decision_size: size }),
  };
  const started = await callTool(api, "run_validation", asked, ValidationStarted);
  if (wait) return watch(io, api, started.simulation_id, json);
  if (json) return io.out(JSON.stringify(started));
  io.out(started.simulation_id);
  io.err(`Wait for its verdict with: assay validations watch ${started.simulation_id}`);
}

async function listValidations(io: Io, { limit, ...options }: ClientOptions & { limit?: string }): Promise<void> {
  const given = limit === undefined ? {} : { limit: wholeBetween("--limit", limit, 1, 50) };
  const api = await apiFor(io, options);
  const { validations } = await callTool(api, "list_validations", given, ValidationList);
  if (options.json) return io.out(JSON.stringify({ validations }));
  if (validations.length === 0) return io.err("No validations. Start one with: assay validate");
  const lines = table(
    io,
    [
      { title: "validation", cell: (one) => one.simulation_id },
      { title: "status", cell: (one) => endedAs(one) },
      { title: "verdict", cell: (one) => one.verdict ?? "", tone: (one) => verdictTone(one.verdict) },
      { title: "size", cell: (one) => one.decision_size },
      { title: "age", cell: (one) => age(one.created_at, io.runtime.now()), align: "right" },
    ],
    validations,
  );
  printLines(io, lines);
}

async function listAudiences(io: Io, options: ClientOptions): Promise<void> {
  const { audiences } = await callTool(await apiFor(io, options), "list_audiences", {}, AudienceList);
  if (options.json) return io.out(JSON.stringify({ audiences }));
  if (audiences.length === 0) return io.err("No audiences. Create one with: assay audiences create");
  const lines = table(
    io,
    [
      { title: "audience", cell: (one) => one.audience_id },
      { title: "personas", cell: (one) => String(one.personas_count), align: "right" },
      { title: "name", cell: (one) => one.name },
    ],
    audiences,
  );
  printLines(io, lines);
}

async function showAudience(io: Io, audience_id: string, options: ClientOptions): Promise<void> {
  const details = await callTool(await apiFor(io, options), "get_audience_details", { audience_id }, AudienceDetails);
  if (options.json) return io.out(JSON.stringify(details));
  const { audience, personas, understood, not_used } = details;
  printLines(
    io,
    facts(io, [
      ["audience", audience.id],
      ["name", audience.name],
      ["description", audience.description],
      ["market", audience.market],
      ["size", String(audience.size)],
      ["source", audience.source],
      ["understood", understood.join("; ") || "all adults"],
      ["not used", not_used.join("; ") || "nothing"],
    ]),
  );
  section(
    io,
    "Preview",
    personas.map(({ role, bio }) => `${role}: ${bio}`),
  );
}

interface CreateOptions extends ClientOptions {
  readonly name: string;
  readonly description: string;
  readonly market?: string;
  readonly size?: string;
}

async function createAudience(io: Io, options: CreateOptions): Promise<void> {
  const { name, description, market, size } = options;
  const given = {
    name,
    description,
    ...(market !== undefined && { market }),
    ...(size !== undefined && { size: wholeBetween("--size", size, 5, 50) }),
  };
  const made = await callTool(await apiFor(io, options), "create_audience", given, AudienceCreated);
  if (options.json) return io.out(JSON.stringify(made));
  io.out(made.audience_id);
  io.err(
    `Understood: ${made.understood.join("; ") || "all adults"}. Not used: ${made.not_used.join("; ") || "nothing"}.`,
  );
}

function registerAudiences(program: Command, io: Io): void {
  const audiences = program.command("audiences").description("List, show and create audiences of the market validator");
  clientOptions(audiences.command("list").description("List the firm's audiences, newest first")).action(
    async (_options, command: Command) => listAudiences(io, command.optsWithGlobals<ClientOptions>()),
  );
  clientOptions(audiences.command("get <id>").description("Show an audience, with a preview of its personas")).action(
    async (id: string, _options, command: Command) => showAudience(io, id, command.optsWithGlobals<ClientOptions>()),
  );
  clientOptions(
    audiences
      .command("create")
      .description("Create an audience from a description; each validation draws its personas"),
  )
    .requiredOption("--name <name>", "name of the audience")
    .requiredOption("--description <text>", "who belongs to it")
    .option("--market <market>", "a country's ISO code or name (default: EU)")
    .option("--size <count>", "5 to 50 personas (default: 10)")
    .action(async (_options, command: Command) => createAudience(io, command.optsWithGlobals<CreateOptions>()));
}

/** `assay validate`, `assay audiences …`, `assay validations …`. */
export function registerValidate(program: Command, io: Io): void {
  const validating = program
    .command("validate")
    .description("Test a hypothesis on simulated personas; charges credits");
  clientOptions(validating)
    .requiredOption("--hypothesis <text>", "who would buy what, for which problem; - reads it from stdin")
    .option("--market <market>", "a country's ISO code or name")
    .option("--audience <id>", "one of your audiences (default: one of the market's adults, created once)")
    .option("--personas <count>", "5 to 50, if an audience is created (default: 10)")
    .addOption(new Option("--size <size>", "size of the decision (default: M)").choices(["S", "M", "L", "XL"]))
    .option("--wait", "wait for the verdict")
    .action(async (_options, command: Command) => validate(io, command.optsWithGlobals<ValidateOptions>()));
  registerAudiences(program, io);
  const validations = program.command("validations").description("List, show and watch validations");
  clientOptions(validations.command("list").description("List the latest validations"))
    .option("--limit <count>", "1 to 50 (default: 10)")
    .action(async (_options, command: Command) => listValidations(io, command.optsWithGlobals()));
  clientOptions(validations.command("get <id>").description("Show a validation's verdict and figures")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      const { study, text } = await read(await apiFor(io, options), id);
      if (options.json) io.out(text);
      else printResult(io, study);
    },
  );
  clientOptions(validations.command("watch <id>").description("Wait for a validation's verdict")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      await watch(io, await apiFor(io, options), id, options.json);
    },
  );
}
