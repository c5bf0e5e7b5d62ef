import type { Command } from "commander";
import {
  Composition,
  Intake,
  IntakeResult,
  type Recommendations,
  Recommendations as RecommendationsSchema,
  Unlocked,
} from "../../products/architect/schema.ts";
import { note } from "../help.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, apiFor, bodyOf } from "./http.ts";
import { type InputOptions, inputOptions, readInput } from "./input.ts";
import { type Column, credits, facts, harmless, instant, paint, printLines, section, table, wrap } from "./screen.ts";
import { type ClientOptions, clientOptions } from "./settings.ts";

interface ArchitectOptions extends ClientOptions, InputOptions {
  readonly save?: string;
}

const path = "/v1/solution-architect";

/** Asks a question on the terminal. */
type Ask = NonNullable<Io["ask"]>;

async function needed(ask: Ask, question: string): Promise<string> {
  const given = (await ask(`${question}: `)).trim();
  if (given === "") throw new CommandError(2, "Stopped: this question needs an answer.");
  return given;
}

const listed = async (ask: Ask, question: string): Promise<string[]> =>
  (await ask(`${question} (separated by semicolons, optional): `))
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Asks for goals until an empty answer, ten at most. */
async function goals(ask: Ask): Promise<string[]> {
  const given = [await needed(ask, "A goal, in a sentence")];
  while (given.length < 10) {
    const next = (await ask("Another goal (optional): ")).trim();
    if (next === "") break;
    given.push(next);
  }
  return given;
}

/** Asks for the intake on the terminal. Throws exit 2 without one. */
async function walk(io: Io): Promise<Intake> {
  const { ask } = io;
  if (!ask)
    throw new CommandError(
      2,
      "There is no terminal to ask on.",
      "Give the intake with --input-file FILE, --input, --set or -; its members are those of POST /v1/solution-architect/intake.",
    );
  const company = await needed(ask, "Company");
  const country = await needed(ask, "Country (two letters)");
  const industry = await needed(ask, "Industry");
  const wanted = await goals(ask);
  const constraints = await listed(ask, "Constraints");
  const channels = await listed(ask, "Channels");
  const data_sources = await listed(ask, "Data sources");
  const budget = (await ask("Budget in credits for one run of everything (optional): ")).trim();
  if (budget !== "" && !/^\d{1,9}$/.test(budget))
    throw new CommandError(2, "The budget must be a whole number of credits.");
  const consent = /^y(es)?$/i.test((await ask("Allow it to be resumed through a link? [y/N] ")).trim());
  const rest = { constraints, channels, data_sources, consent };
  return {
    company,
    country,
    industry,
    goals: wanted,
    ...rest,
    ...(budget !== "" && { budget_credits: Number(budget) }),
  };
}

const isGiven = ({ input, inputFile, set }: InputOptions, dash: string | undefined): boolean =>
  [dash, input, inputFile, set].some((way) => way !== undefined);

/** Prints the needs understood and the open questions. */
function printIntake(io: Io, { solution_id, completeness, needs, missing }: IntakeResult): void {
  printLines(
    io,
    facts(io, [
      ["solution", solution_id],
      ["complete", `${Math.round(completeness * 100)} %`],
    ]),
  );
  const bullets = (texts: readonly string[]) =>
    texts.flatMap((text) => wrap(`- ${harmless(text)}`, io.columns).map((line, i) => (i === 0 ? line : `  ${line}`)));
  section(io, "Needs", bullets(needs.map(({ title }) => title)));
  section(io, "Open questions", bullets(missing.map(({ question }) => question)));
}

function printOptions(io: Io, { options, budget }: Recommendations): void {
  const columns: Column<Recommendations["options"][number]>[] = [
    { title: "option", cell: ({ title }) => title },
    { title: "score", cell: ({ score }) => String(score), align: "right" },
    { title: "price", cell: ({ price }) => credits(price.maximum_credits), align: "right" },
    {
      title: "parts of the score",
      cell: ({ parts }) => parts.map(({ name, points, weight }) => `${name} ${points}/${weight}`).join(", "),
    },
  ];
  section(io, "Options", table(io, columns, options));
  printLines(io, wrap(harmless(budget.note), io.columns));
}

async function save(io: Io, api: Api, solution_id: string, email: string): Promise<void> {
  const text = await api.request("POST", `${path}/unlock`, { body: { solution_id, email, consent: true } });
  const { token, expires_at } = bodyOf(Unlocked, text);
  // On stderr: the links give access to the solution, and are not part of the result.
  io.err(`Saved. Until ${instant(expires_at)} UTC it opens at:`);
  io.err(`  ${api.baseUrl}${path}/resume/${token}`);
  io.err(`and its build specification, with ?template=messaging-channel or web-comparator, at:`);
  io.err(`  ${api.baseUrl}${path}/builder-spec/${token}`);
}

async function architect(io: Io, dash: string | undefined, options: ArchitectOptions): Promise<void> {
  const body = isGiven(options, dash) ? await readInput(io, dash, options, Intake) : await walk(io);
  const api = await apiFor(io, options);
  const intake = bodyOf(IntakeResult, await api.request("POST", `${path}/intake`, { body }));
  const { solution_id } = intake;
  const ask = (part: string) => api.request("POST", `${path}/${part}`, { body: { solution_id } });
  const composed = await ask("compose");
  if (options.json) io.out(composed);
  else {
    printIntake(io, intake);
    printOptions(io, bodyOf(RecommendationsSchema, await ask("recommendations")));
    io.out("");
    const { markdown } = bodyOf(Composition, composed);
    for (const line of markdown.split("\n"))
      printLines(io, /^#/.test(line) ? [paint(io, "bold", harmless(line))] : wrap(harmless(line), io.columns));
  }
  if (options.save !== undefined) await save(io, api, solution_id, options.save);
}

/** `assay architect`: from goals to a priced solution. */
export function registerArchitect(program: Command, io: Io): void {
  const command = program
    .command("architect")
    .description("Plan a solution from goals: needs, options, price, document");
  clientOptions(inputOptions(command))
    .option("--save <email>", "consent to saving it under this address, and print links that work for seven days")
    .addHelpText("after", note(io, "Without input it asks on the terminal. It runs nothing and spends no credits."))
    .action(async (dash: string | undefined, _options, command: Command) =>
      architect(io, dash, command.optsWithGlobals<ArchitectOptions>()),
    );
}
