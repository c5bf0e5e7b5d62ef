#!/usr/bin/env bun
import { join } from "node:path";
import { Glob } from "bun";
import { check } from "recheck";

/**
 * `bun run patterns`: analyses with recheck every regular expression in the folders whose code handles a caller's text.
 * A pattern that takes more than linear time must be rewritten, or be listed below with what limits its input. Patterns
 * that can't be decided within `timeout` count as harmless.
 */

const root = join(import.meta.dir, "..");
const rooms = "src/{platform,knowledge,registry,web,runs,jobs,products,surfaces}/**/*.ts";
const timeout = 1_000;

/** Exceptions by the start of their source, each with the reason why its input is short. */
const bounded: Readonly<Record<string, string>> = {
  "^(?<word>(?:strana|str": "lines of at most 60 characters",
  "\\p{L}+$": "80 characters next to an amount",
  "(?:[%‰]|[cz]ent": "the 32 characters before an amount",
  "(\\.\\s?){4,}": "the last 32 characters of a line",
  "\\s+\\.$": "12 characters before a stop",
  "\\p{L}*[ąęłńśźżß": "the first few thousand characters of a text",
  "(?<!\\p{L})(?:what": "a question of at most 2,000 characters",
  "\\bassay_[a-z]{2}_": "our own log lines",
  "\\{([^}]*)\\}": "the rule packs' own patterns",
  "\\{[^}]*\\}": "the rule packs' own patterns",
  "T.*$": "an operator's date",
  "\\s+[-–—|·:»•/]+\\s*|": "a title of at most 1,000 characters, with single blanks",
  "\\s+\\S*$": "120 characters of evidence",
  "\\d[\\d\\s.,\\u00a0]*\\s*(%|": "a quotation of at most 1,200 characters, in a thread",
  "\\d+\\s*(\\w+\\s)?(dn": "a quotation of at most 1,200 characters, in a thread",
  "\\p{M}*[\\p{L}\\p{N}]": "a query of at most 200 characters",
};

interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

// What may precede a literal, to distinguish it from a division.
const literal =
  /(?<=(?:[(=,:[!&|?{};>]|return|^)\s*)\/(?![/*])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm;

async function literalsIn(file: string): Promise<Found[]> {
  const text = await Bun.file(join(root, file)).text();
  const code = text.replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, (line) => " ".repeat(line.length));
  return [...code.matchAll(literal)].map(([, source = "", flags = ""], _, all) => ({
    place: `${file}:${code.slice(0, all.find((one) => one[1] === source)?.index ?? 0).split("\n").length}`,
    source,
    flags,
  }));
}

const files = await Array.fromAsync(new Glob(rooms).scan(root));
const found = (await Promise.all(files.sort().map(literalsIn))).flat();
const known = Object.keys(bounded);
const waiting = found.filter(({ source }) => !known.some((start) => source.startsWith(start)));
const costly = known
  .filter((start) => !found.some(({ source }) => source.startsWith(start)))
  .map((start) => `${start}: no pattern starts with this; remove it from the list`);
const total = waiting.length;

async function analyse(): Promise<void> {
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    // Neither flag changes the result here: match indices, and set notation that no pattern uses.
    const found = await check(one.source, one.flags.replace(/[dv]/g, ""), { timeout });
    if (found.status === "vulnerable")
      costly.push(`${one.place} /${one.source}/${one.flags}: ${found.complexity.summary}`);
  }
}
await Promise.all([analyse(), analyse()]);
for (const line of costly.sort()) console.error(line);
console.log(`${total} patterns analysed, ${found.length - total} with bounded input, ${costly.length} too expensive`);
process.exit(costly.length === 0 ? 0 : 1);
