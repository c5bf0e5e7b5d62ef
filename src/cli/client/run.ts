import type { Command } from "commander";
import { CapabilityDetail } from "../../products/catalogue/schema.ts";
import { Quote, UseCase } from "../../products/use-cases/schema.ts";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { capabilities, findItem, stepLines, unknownSlug, useCases } from "./catalogue.ts";
import { type Api, apiFor, bodyOf } from "./http.ts";
import { type InputOptions, inputOptions, readInput } from "./input.ts";
import { failUnlessSucceeded, printRun, waitAndPrint } from "./runs.ts";
import { credits, facts, instant, paint, printLines, section } from "./screen.ts";
import { type ClientOptions, clientOptions, suggesting } from "./settings.ts";

/** Prints a quote. */
export function printQuote(io: Io, quote: Quote): void {
  const { execution_gate: gate } = quote;
  io.out(
    `${paint(io, "bold", `${quote.use_case} ${quote.semantic_version}`)}  at most ${credits(quote.maximum_credits)}`,
  );
  printLines(
    io,
    facts(io, [
      ["quote", quote.id],
      ["reserved", credits(quote.reserved_credits)],
      ["approval", quote.approval_required ? "a person must approve before the run continues" : "none needed"],
      ["gate", gate.open ? "open" : `closed: ${gate.message} (${gate.code})`],
      ["valid until", `${instant(quote.expires_at)} UTC`],
    ]),
  );
  section(io, "Steps", stepLines(io, quote.steps));
}

async function quote(io: Io, slug: string, dash: string | undefined, options: ClientOptions & InputOptions) {
  const api = await apiFor(io, options);
  const detail = await findItem(api, useCases, slug);
  if (typeof detail !== "string") throw unknownSlug(slug, [useCases, detail]);
  const input = await readInput(io, dash, options, bodyOf(UseCase, detail).input_schema);
  const text = await api.request("POST", `${useCases.path}/${encodeURIComponent(slug)}/quote`, { body: { input } });
  if (options.json) io.out(text);
  else printQuote(io, bodyOf(Quote, text));
}

interface RunOptions extends ClientOptions, InputOptions {
  readonly useCase?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
  readonly mode?: string;
  readonly maximumCredits?: string;
  readonly workspace?: string;
}

export interface Started {
  readonly run: Run;
  readonly text: string;
}

/**
 * Starts a run under an idempotency key. A generated key is printed before anything is sent, so that after a lost
 * answer the same command with the key finds the run instead of starting a second one.
 */
export async function startRun(io: Io, api: Api, path: string, body: object, key?: string): Promise<Started> {
  const used = key ?? io.runtime.id();
  if (key === undefined) io.err(`If no answer comes, retry with --idempotency-key ${used}`);
  const text = await api.request("POST", `${path}/runs`, { body, headers: { "idempotency-key": used } });
  return { run: bodyOf(RunSchema, text), text };
}

interface Runnable {
  readonly path: string;
  readonly schema: unknown;
  readonly isUseCase: boolean;
}

/** Looks the slug up among the capabilities, then among the use cases. */
async function findRunnable(api: Api, slug: string, useCaseOnly: boolean | undefined): Promise<Runnable> {
  const name = encodeURIComponent(slug);
  const capability = useCaseOnly ? undefined : await findItem(api, capabilities, slug);
  if (typeof capability === "string") {
    const schema = bodyOf(CapabilityDetail, capability).input_schema;
    return { path: `${capabilities.path}/${name}`, schema, isUseCase: false };
  }
  const useCase = await findItem(api, useCases, slug);
  if (typeof useCase !== "string") {
    const missed = [useCases, useCase] as const;
    throw capability ? unknownSlug(slug, [capabilities, capability], missed) : unknownSlug(slug, missed);
  }
  return { path: `${useCases.path}/${name}`, schema: bodyOf(UseCase, useCase).input_schema, isUseCase: true };
}

/** Returns the members of a capability run's body besides its input. Throws exit 2 for a use case, which has none. */
function conditions({ mode, maximumCredits, workspace }: RunOptions, isUseCase: boolean): object {
  if (isUseCase && (mode ?? maximumCredits ?? workspace) !== undefined)
    throw new CommandError(2, "--mode, --maximum-credits and --workspace are for capabilities; this is a use case.");
  if (maximumCredits !== undefined && !/^\d{1,15}$/.test(maximumCredits))
    throw new CommandError(2, "--maximum-credits takes a whole number.");
  return {
    ...(mode !== undefined && { mode }),
    ...(maximumCredits !== undefined && { maximum_credits: Number(maximumCredits) }),
    ...(workspace !== undefined && { workspace_id: workspace }),
  };
}

async function run(io: Io, slug: string, dash: string | undefined, options: RunOptions): Promise<void> {
  const api = await apiFor(io, options);
  const { path, schema, isUseCase } = await findRunnable(api, slug, options.useCase);
  const input = await readInput(io, dash, options, schema);
  const body = { input, ...conditions(options, isUseCase) };
  const started = await startRun(io, api, path, body, options.idempotencyKey);
  if (options.wait) return waitAndPrint(api, io, started.run.id, options.json);
  if (options.json) io.out(started.text);
  else printRun(io, started.run);
  // The run never started, so there is nothing to watch.
  if (started.run.status === "refused") return failUnlessSucceeded(started.run);
  if (!options.json) io.err(`Follow it with: assay runs watch ${started.run.id}`);
}

/** `assay quote` and `assay run`. */
export function registerRun(program: Command, io: Io): void {
  const quoting = program
    .command("quote <use-case>")
    .description("Get the maximum price of a use case; reserves nothing");
  clientOptions(inputOptions(quoting)).action(
    async (slug: string, dash: string | undefined, _options, command: Command) =>
      quote(io, slug, dash, command.optsWithGlobals<ClientOptions & InputOptions>()),
  );
  const running = program.command("run <slug>").description("Run a capability or a use case; can charge credits");
  clientOptions(inputOptions(running))
    .option("--use-case", "treat the slug as a use case")
    .option("--wait", "wait until the run finishes; exit 1 unless it succeeds")
    .option("--idempotency-key <key>", "8 to 200 characters; the same key and input give the same run")
    .addOption(suggesting("--mode <mode>", "mode of the run (default: live)", ["live", "trial"]))
    .option("--maximum-credits <count>", "refuse the run if its price is higher")
    .option("--workspace <id>", "workspace of the run")
    .action(async (slug: string, dash: string | undefined, _options, command: Command) =>
      run(io, slug, dash, command.optsWithGlobals<RunOptions>()),
    );
}
