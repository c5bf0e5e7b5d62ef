import type { TObject, TSchema } from "@sinclair/typebox";
import type { Command } from "commander";
import { CapabilityDetail, CapabilityFilter, CapabilityList } from "../../products/catalogue/schema.ts";
import { UseCase, UseCaseFilter, UseCaseSummary } from "../../products/use-cases/schema.ts";
import { page } from "../../web/cursor.ts";
import type { Io } from "../io.ts";
import { type Api, ApiError, apiFor, bodyOf, queryOf } from "./http.ts";
import { credits, facts, harmless, paint, printLines, section, table, wrap } from "./screen.ts";
import { type ClientOptions, clientOptions, flagOf, optionOf, suggesting } from "./settings.ts";

const UseCaseList = page(UseCaseSummary, "UseCaseList");

/** A part of the catalogue: its command, noun, path and filters. */
interface Catalogue {
  readonly command: string;
  readonly noun: string;
  readonly path: string;
  readonly filter: TObject;
}
export const capabilities: Catalogue = {
  command: "capabilities",
  noun: "capability",
  path: "/v1/capabilities",
  filter: CapabilityFilter,
};
export const useCases: Catalogue = {
  command: "use-cases",
  noun: "use case",
  path: "/v1/use-cases",
  filter: UseCaseFilter,
};

/** Returns the unparsed detail of an item, or the API's 404 if there is no such slug. */
export async function findItem(api: Api, { path }: Catalogue, slug: string): Promise<string | ApiError> {
  try {
    return await api.request("GET", `${path}/${encodeURIComponent(slug)}`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return error;
    throw error;
  }
}

/** A catalogue without the item, and its 404. */
type Missed = readonly [Catalogue, ApiError];

/** Returns the error for a slug that is in none of these catalogues, with the server's suggestions. */
export function unknownSlug(slug: string, ...missed: readonly Missed[]): ApiError {
  const meant = missed.flatMap(([, { body = "" }]) => /Did you mean ([^"?]+)\?/.exec(body)?.[1] ?? []);
  const message = `There is no ${missed.map(([{ noun }]) => noun).join(" or ")} "${slug}".`;
  return new ApiError(
    404,
    harmless(meant.length > 0 ? `${message} Did you mean ${meant.join(", ")}?` : message),
    `List them with: ${missed.map(([{ command }]) => `assay ${command} list`).join(", ")}`,
    missed[0]?.[1].body,
  );
}

async function show(api: Api, catalogue: Catalogue, slug: string): Promise<string> {
  const found = await findItem(api, catalogue, slug);
  if (typeof found !== "string") throw unknownSlug(slug, [catalogue, found]);
  return found;
}

/** Formats an input schema, one line per member: its name, whether it is required, its constraints. */
export function inputLines(io: Io, schema: Readonly<Record<string, unknown>>): string[] {
  const properties = typeof schema.properties === "object" && schema.properties !== null ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const members = Object.entries(properties).map(([name, member]: [string, unknown]) => ({ name, member }));
  if (members.length === 0) return ["none"];
  return table(
    io,
    [
      { title: "member", cell: ({ name }) => name },
      { title: "", cell: ({ name }) => (required.includes(name) ? "required" : "optional") },
      { title: "what", cell: ({ member }) => constraint(member) },
    ],
    members,
  );
}

/** Describes a JSON Schema's constraints, such as `string, minLength 3, maxLength 1500`. */
function constraint(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "anything";
  const { type, enum: choices, items, description, ...bounds } = Object.fromEntries<unknown>(Object.entries(schema));
  const kind = type === "array" ? `list of (${constraint(items)})` : String(type ?? "anything");
  const said = Object.entries(bounds).flatMap(([name, value]) =>
    typeof value === "object" ? [] : [`${name} ${value}`],
  );
  const chosen = Array.isArray(choices) ? [choices.join(" | ")] : [kind];
  return [...chosen, ...said].join(", ") + (typeof description === "string" ? `. ${description}` : "");
}

const runnable = (item: { readonly runnable: boolean }): string => (item.runnable ? "yes" : "no");

function printCapabilities(io: Io, text: string): void {
  const { items } = bodyOf(CapabilityList, text);
  if (items.length === 0) io.err("Nothing matches. Use fewer filters.");
  const lines = table(
    io,
    [
      { title: "capability", cell: (item) => item.slug },
      { title: "status", cell: (item) => item.status },
      { title: "where", cell: (item) => item.countries.join(" ") },
      { title: "credits", cell: (item) => String(item.pricing.live_credits), align: "right" },
      { title: "runnable", cell: runnable, tone: (item) => (item.runnable ? "good" : "dim") },
      { title: "outcome", cell: (item) => item.outcome },
    ],
    items,
  );
  printLines(io, lines);
}

function printUseCases(io: Io, text: string): void {
  const { items } = bodyOf(UseCaseList, text);
  if (items.length === 0) io.err("Nothing matches. Use fewer filters.");
  const lines = table(
    io,
    [
      { title: "use case", cell: (item) => item.slug },
      { title: "status", cell: (item) => item.status },
      { title: "credits", cell: (item) => String(item.maximum_credits), align: "right" },
      { title: "runnable", cell: runnable, tone: (item) => (item.runnable ? "good" : "dim") },
      { title: "outcome", cell: (item) => item.outcome },
    ],
    items,
  );
  printLines(io, lines);
}

const bullets = (io: Io, texts: readonly string[]): string[] =>
  texts.flatMap((text) => wrap(text, io.columns - 2).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)));

/** Prints a capability's contract. */
export function printCapability(io: Io, item: CapabilityDetail): void {
  const { pricing, trial, statistics } = item;
  io.out(paint(io, "bold", `${item.name} ${item.semantic_version}`));
  printLines(io, wrap(item.description, io.columns));
  io.out("");
  const trialText = trial.enabled
    ? [
        `${trial.max_runs} ${trial.max_runs === 1 ? "run" : "runs"} at ${credits(pricing.trial_credits)}`,
        ...trial.restrictions,
      ]
    : ["none"];
  printLines(
    io,
    facts(io, [
      ["slug", item.slug],
      ["outcome", item.outcome],
      ["status", `${item.status}, ${item.exposure}, by ${item.provider}`],
      ["runnable", runnable(item)],
      ["countries", item.countries.join(" ")],
      ["price", `${credits(pricing.live_credits)} (${pricing.model}, ${pricing.charging_unit})`],
      ["trial", trialText.join("; ")],
      ["scopes of a run", item.required_scopes.rest.join(" ")],
      ["scopes over MCP", item.required_scopes.mcp.join(" ")],
      ["entitlements", item.required_entitlements.join(" ") || "none"],
      ["evidence", item.evidence_freshness],
      ["surfaces", item.supported_execution_surfaces.join(" ")],
      ["tools", item.tools.map((tool) => tool.name).join(" ")],
      ["documentation", item.documentation_url],
      [
        "last 30 days",
        statistics &&
          `${statistics.runs_30d} runs by ${statistics.tenants} tenants, success ${statistics.success_rate}`,
      ],
    ]),
  );
  section(io, "Input", inputLines(io, item.input_schema));
  section(io, "Limitations", bullets(io, item.limitations));
}

/** Prints a use case's contract. */
export function printUseCase(io: Io, item: UseCase): void {
  const { execution_blocker: blocker } = item;
  io.out(paint(io, "bold", `${item.name} ${item.semantic_version}`));
  printLines(io, wrap(item.description, io.columns));
  io.out("");
  printLines(
    io,
    facts(io, [
      ["slug", item.slug],
      ["outcome", item.outcome],
      ["status", `${item.status}, ${item.access}, by ${item.provider}`],
      ["runnable", blocker ? `no: ${blocker.message} (${blocker.code})` : "yes"],
      ["price", `at most ${credits(item.maximum_credits)}`],
      ["evidence", item.evidence_freshness],
      ["surfaces", item.supported_execution_surfaces.join(" ")],
    ]),
  );
  section(io, "Steps", stepLines(io, item.steps));
  section(io, "Delivered", bullets(io, item.delivered_results));
  section(io, "Input", inputLines(io, item.input_schema));
  section(io, "Limitations", bullets(io, item.limitations));
}

/** Formats the priced steps of a use case or a quote. */
export const stepLines = (io: Io, steps: UseCase["steps"]): string[] =>
  table(
    io,
    [
      { title: "step", cell: (step) => step.key },
      { title: "credits", cell: (step) => String(step.maximum_credits), align: "right" },
      { title: "approval", cell: (step) => (step.requires_approval ? "needed" : "") },
      { title: "what", cell: (step) => step.title },
    ],
    steps,
  );

type Filters = ClientOptions & Readonly<Record<string, string | undefined>>;

/** Returns the values of a filter, if its schema lists them. */
const choicesOf = (schema: TSchema | undefined): string[] => (Array.isArray(schema?.enum) ? schema.enum : []);

function register(program: Command, io: Io, catalogue: Catalogue, print: { list: Printer; item: Printer }): void {
  const { command: name, noun, path, filter } = catalogue;
  const filters = Object.keys(filter.properties).filter((member) => member !== "q");
  const group = program.command(name).description(`Find and inspect ${name.replace("-", " ")}`);
  const list = clientOptions(
    group.command("list [words...]").description(`List ${name.replace("-", " ")} by words and filters`),
  );
  for (const member of filters) {
    const schema = filter.properties[member];
    list.addOption(suggesting(`${flagOf(member)} <${member}>`, schema?.description ?? "", choicesOf(schema)));
  }
  list.action(async (words: readonly string[], _options, command: Command) => {
    const options = command.optsWithGlobals<Filters>();
    const chosen = Object.fromEntries(filters.map((member) => [member, options[optionOf(member)]]));
    const query = queryOf({ q: words.length > 0 ? words.join(" ") : undefined, ...chosen });
    const text = await (await apiFor(io, options)).request("GET", path + query);
    if (options.json) io.out(text);
    else print.list(io, text);
  });
  clientOptions(
    group.command("show <slug>").description(`Show the contract of a ${noun}: price, input, limitations`),
  ).action(async (slug: string, _options, command: Command) => {
    const options = command.optsWithGlobals<ClientOptions>();
    const text = await show(await apiFor(io, options), catalogue, slug);
    if (options.json) io.out(text);
    else print.item(io, text);
  });
}

type Printer = (io: Io, text: string) => void;

/** `assay capabilities list|show` and `assay use-cases list|show`. Filters are those of the routes. */
export function registerCatalogue(program: Command, io: Io): void {
  register(program, io, capabilities, {
    list: printCapabilities,
    item: (where, text) => printCapability(where, bodyOf(CapabilityDetail, text)),
  });
  register(program, io, useCases, {
    list: printUseCases,
    item: (where, text) => printUseCase(where, bodyOf(UseCase, text)),
  });
}
