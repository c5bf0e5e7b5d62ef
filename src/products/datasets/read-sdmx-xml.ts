import { Parser } from "htmlparser2";
import { eurostat, type Item, type Reading, type Source } from "./reading.ts";
import { FileRefused } from "./refusal.ts";
import { isAttribute, type Observation, rowOf } from "./sdmx-observation.ts";
import type { TextFile } from "./text-file.ts";

/** Reads SDMX-ML 2.1, generic and structure-specific, as a stream, so that only a piece of it is in memory. */

/** Maximum number of characters between elements of a message. */
const longest = 1 << 20;

type Names = Readonly<Record<string, string>>;

/** Returns a name without its namespace prefix, which each publisher chooses freely. */
const local = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Whether an attribute is data rather than XML metadata. */
const isData = (name: string): boolean => !/^(?:xmlns|xsi|xml|ss|s)(?::|$)/.test(name) && name !== "type";
const own = (given: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isData(name)));

/** The metadata of a message. */
interface Header {
  agency: string;
  code: string;
  publisher: string;
  prepared: string;
}

/** Parses a message element by element. Complete observations collect in `found`, from which the caller takes them. */
class Message {
  readonly header: Header = { agency: "", code: "", publisher: "", prepared: "" };
  readonly found: Observation[] = [];
  private readonly path: string[] = [];
  private readonly groups: Names[] = [];
  private count = 0;
  private series: Record<string, string> = {};
  private more: Record<string, string> = {};
  private observation: {
    period: string;
    value: string;
    keys: Record<string, string>;
    more: Record<string, string>;
  } | null = null;

  open(full: string, given: Names): void {
    const name = local(full);
    const inside = this.path.at(-1);
    this.path.push(name);
    const { header } = this;
    if (name === "Sender") header.publisher ||= given.id ?? "";
    else if (name === "Ref" && this.path.includes("Structure")) {
      header.code ||= given.id ?? "";
      header.agency ||= given.agencyID ?? "";
    } else if (name === "Group") this.groups.push(own(given));
    else if (name === "Series") this.begin(own(given));
    else if (name === "Obs") this.observe(own(given));
    else if (name === "Value" && given.id !== undefined) this.put(inside, given.id, given.value ?? "");
    else if (name === "ObsDimension" && this.observation) this.observation.period = given.value ?? "";
    else if (name === "ObsValue" && this.observation) this.observation.value = given.value ?? "";
  }

  text(written: string): void {
    const name = this.path.at(-1);
    const { header } = this;
    if (name === "Prepared") header.prepared += written.trim();
    else if (name === "DataSetID") header.code ||= written.trim();
    else if (name === "URN") {
      const [, agency = "", code = ""] = /=([^:]{1,200}):([^(]{1,200})\(/.exec(written) ?? [];
      header.agency ||= agency;
      header.code ||= code;
    }
  }

  close(full: string): void {
    this.path.pop();
    const { observation } = this;
    if (local(full) !== "Obs" || !observation) return;
    const { period, value, keys, more } = observation;
    this.count += 1;
    const dimensions = { ...this.series, ...keys };
    this.found.push({
      line: this.count,
      period,
      value,
      dimensions,
      attributes: { ...this.grouped(dimensions), ...this.more, ...more },
    });
    this.observation = null;
  }

  /** A structure-specific series has dimensions and attributes together; a generic one has neither here. */
  private begin(given: Record<string, string>): void {
    this.series = {};
    this.more = {};
    for (const [name, value] of Object.entries(given)) (isAttribute(name) ? this.more : this.series)[name] = value;
  }

  private observe({ TIME_PERIOD = "", OBS_VALUE = "", ...others }: Record<string, string>): void {
    const keys: Record<string, string> = {};
    const more: Record<string, string> = {};
    for (const [name, value] of Object.entries(others)) (isAttribute(name) ? more : keys)[name] = value;
    this.observation = { period: TIME_PERIOD, value: OBS_VALUE, keys, more };
  }

  private put(inside: string | undefined, id: string, value: string): void {
    const { observation } = this;
    if (inside === "SeriesKey") this.series[id] = value;
    else if (inside === "Attributes") (observation ? observation.more : this.more)[id] = value;
    else if (inside === "ObsKey" && observation) {
      if (id === "TIME_PERIOD") observation.period = value;
      else observation.keys[id] = value;
    }
  }

  /** Returns the attributes of groups whose dimensions match the series. */
  private grouped(dimensions: Names): Names {
    const fitting = this.groups.filter((group) =>
      Object.entries(group).every(([name, value]) => dimensions[name] === undefined || dimensions[name] === value),
    );
    return Object.assign({}, ...fitting);
  }
}

/** Yields the observations of a message in batches. Throws `FileRefused` if it is not a valid message. */
async function* observationsOf(text: TextFile, message: Message): AsyncGenerator<readonly Observation[]> {
  let [depth, quiet] = [0, 0];
  const parser = new Parser(
    {
      onopentag(name, given) {
        depth += 1;
        quiet = 0;
        message.open(name, given);
      },
      onclosetag(name) {
        depth -= 1;
        quiet = 0;
        message.close(name);
      },
      ontext: (written) => message.text(written),
    },
    { xmlMode: true },
  );
  for await (const piece of text.text()) {
    quiet += String(piece).length;
    parser.write(String(piece));
    if (quiet > longest || depth > 100)
      throw new FileRefused(
        "too_long",
        "it has no element for a million characters, or elements nested too deeply",
        "It is not an SDMX message.",
      );
    yield message.found.splice(0);
  }
  // parser.end() would close open elements silently.
  if (depth > 0) throw new FileRefused("truncated", "it ends before its last element is closed", "Download it again.");
  parser.end();
  yield message.found.splice(0);
}

/** Returns the message's metadata, all of which comes before the first observation. */
async function headerOf(text: TextFile): Promise<Header> {
  const message = new Message();
  for await (const observed of observationsOf(text, message)) if (observed.length > 0) return message.header;
  throw new FileRefused(
    "format",
    "it is XML without an observation",
    "Download the table as SDMX-ML 2.1, SDMX-CSV, TSV or JSON-stat.",
  );
}

/** Reads SDMX-ML. A row's line is its observation's number. Throws `FileRefused`. */
export async function readSdmxXml(source: Source, text: TextFile): Promise<Reading> {
  const header = await headerOf(text);
  const code = (source.mapping.code ?? (header.code || source.name.replace(/\.xml(\.gz)?$/i, ""))).toLowerCase();
  const publisher = header.agency || header.publisher;
  const day = /^\d{4}-\d\d-\d\d/.exec(header.prepared);
  return {
    format: "sdmx-ml",
    decided: { encoding: text.encoding, decimal: "." },
    facts: {
      ...{ name: code, code, title: code },
      ...(publisher && { publisher }),
      ...(publisher === "ESTAT" && eurostat(code)),
      ...(day && { retrieved: day[0] }),
    },
    notes: [],
    async *items(): AsyncGenerator<Item> {
      for await (const observed of observationsOf(text, new Message()))
        for (const one of observed) yield rowOf(one, source, code);
    },
  };
}
