import type { Command } from "commander";
import { type AskRequest, AskResponse } from "../../products/insurance/schema.ts";
import { note } from "../help.ts";
import { CommandError, type Io } from "../io.ts";
import { apiFor, bodyOf } from "./http.ts";
import { createProgress } from "./progress.ts";
import { paint, printLines, section, type Tone, width, wrap } from "./screen.ts";
import { type ClientOptions, clientOptions } from "./settings.ts";

interface AskOptions extends ClientOptions {
  readonly country: string;
  readonly productLine?: string;
  readonly language?: string;
}

const tones: Readonly<Record<AskResponse["trust_state"], Tone>> = {
  OK: "good",
  WARN: "warn",
  FAIL: "bad",
};

type Source = AskResponse["sources"][number];

/** Formats a source: its title, where it is from, the excerpt and its URL. */
function sourceLines(io: Io, source: Source, number: number): string[] {
  const { title, carrier, document_type, provenance, page, heading, language, excerpt, url } = source;
  const head = `[${number}] `;
  const margin = " ".repeat(head.length);
  const columns = io.columns - head.length;
  const version = source.version && `version ${source.version}`;
  const since = source.valid_from && `valid from ${source.valid_from}`;
  const onPage = page === null ? null : `page ${page}`;
  const place = [carrier, document_type, provenance, language, version, since, heading, onPage].filter(Boolean);
  const [first = "", ...more] = wrap(title, columns);
  return [
    head + paint(io, "bold", first),
    ...more.map((line) => margin + paint(io, "bold", line)),
    ...wrap(place.join(" · "), columns).map((line) => margin + paint(io, "dim", line)),
    ...wrap(`“${excerpt}”`, columns).map((line) => margin + line),
    ...(url === null ? [] : wrap(url, columns).map((line) => margin + paint(io, "dim", line))),
  ];
}

/** Formats the trust state with its grounds, on one line if they fit. */
function headLines(io: Io, state: AskResponse["trust_state"], parts: readonly string[]): string[] {
  const shown = paint(io, tones[state], state);
  const line = parts.join(" · ");
  return width(`${state}  ${line}`) <= io.columns ? [`${shown}  ${line}`] : [shown, ...parts];
}

function printAnswer(io: Io, { answer, sources, trust_state, confidence, engine }: AskResponse): void {
  const sure = confidence === null ? [] : [`confidence ${Math.round(confidence * 100)} %`];
  const by = [engine.name, engine.version, engine.model].filter((part) => part !== null).join(" ");
  printLines(io, headLines(io, trust_state, [...sure, by]));
  io.out("");
  printLines(io, wrap(answer, io.columns));
  const lines = sources.flatMap((source, index) => [...(index > 0 ? [""] : []), ...sourceLines(io, source, index + 1)]);
  section(io, "Sources", lines);
}

async function ask(io: Io, words: readonly string[], options: AskOptions): Promise<void> {
  if (!/^[A-Za-z]{2}$/.test(options.country))
    throw new CommandError(2, "--country takes two letters.", "For example CZ: rules differ between countries.");
  const question = words.length === 1 && words[0] === "-" ? (await io.stdin()).trim() : words.join(" ");
  const api = await apiFor(io, options);
  const { country, productLine, language } = options;
  const body: AskRequest = {
    question,
    country,
    ...(productLine !== undefined && { product_line: productLine }),
    ...(language !== undefined && { language }),
  };
  // On a terminal only: a script has no use for the progress of a single request.
  if (io.liveRows > 0) createProgress(io)("searching the documents");
  const text = await api.request("POST", "/v1/insurance/ask", { body });
  if (options.json) io.out(text);
  else printAnswer(io, bodyOf(AskResponse, text));
}

/** `assay ask`: an answer from insurance documents, with the supporting passages. */
export function registerAsk(program: Command, io: Io): void {
  clientOptions(program.command("ask <question...>").description("Ask about insurance in one country, with sources"))
    .requiredOption("--country <code>", "two letters, such as CZ: an answer applies to one country")
    .option("--product-line <line>", "such as motor or household")
    .option("--language <code>", "language of the answer (default: the question's)")
    .addHelpText("after", note(io, "Use - as the question to read it from stdin."))
    .action(async (words: readonly string[], _options, command: Command) =>
      ask(io, words, command.optsWithGlobals<AskOptions>()),
    );
}
