import type { Entity, TableFacts } from "../../../db/datasets.ts";
import { type DatasetDraft, draftDatasetFile } from "../../../db/sqlite/dataset-file.ts";
import { definitions, type EntityForm, type RowKind } from "./definitions.ts";
import type { Mapping } from "./mapping.ts";
import { openReading } from "./open-reading.ts";
import type { Item, Reading } from "./reading.ts";
import { FileRefused, type RefusedRow } from "./refusal.ts";
import { labelled } from "./reliability.ts";

/** The result of staging a file. */
export interface StagedFile {
  readonly facts: TableFacts;
  readonly reading: {
    readonly format: string;
    readonly decided: Readonly<Record<string, string>>;
    readonly notes: readonly string[];
  };
  /** Number of figures or entities imported. */
  readonly records: number;
  /** Number of refusals: rows, and single figures of rows with several. */
  readonly refused: number;
  readonly rows: number;
  /** Rows refused in whole or in part. */
  readonly refused_rows: number;
  /** Share of the file that is refused, from 0 to 1. Each row has the same weight, however many figures it has. */
  readonly refused_share: number;
}

export interface StageOptions {
  readonly file: string;
  /** Its base name. */
  readonly name: string;
  readonly mapping: Mapping;
  /** The dataset's kind of rows. */
  readonly kind: RowKind;
  /** The dataset, if it prescribes the form of its tables. */
  readonly dataset?: string;
  /** Path of a file that is empty or does not exist yet. */
  readonly draft: string;
  /** The date of the import, YYYY-MM-DD. */
  readonly today: string;
  /** Called with every refused row. */
  refused(row: RefusedRow): void;
  /** Called periodically with the number of rows read so far. */
  progress(rows: number): void;
}

/** Maximum number of refused rows; more mean that the mapping does not fit the file. */
const mostRefused = 100_000;
const mostIndicators = 20_000;
const reportEvery = 20_000;

function factsOf(reading: Reading, { mapping, today }: StageOptions): TableFacts {
  const { name, title, publisher, code, licence, url, retrieved, reliability, note } = { ...reading.facts, ...mapping };
  if (publisher === undefined)
    throw new FileRefused("format", "it does not say who publishes it", "Set `publisher` in the mapping.");
  const facts = {
    ...{
      name: name ?? "table",
      title: title ?? name ?? "table",
      publisher,
      code: code ?? null,
      licence: licence ?? null,
    },
    ...{ url: url ?? null, retrieved: retrieved ?? today, note: note ?? null },
  };
  return { ...facts, reliability: reliability ?? labelled(facts) };
}

const duplicate = (line: number, first: number): RefusedRow => ({
  line,
  column: null,
  code: "duplicate_key",
  reason: `line ${first} already has the same figure or key`,
});

/** Returns the required form of a table. Throws `FileRefused` if the dataset has no table of that name. */
function formOf(dataset: string | undefined, name: string): EntityForm | undefined {
  const forms = definitions.find((one) => one.name === dataset)?.forms;
  if (!forms || Object.hasOwn(forms, name)) return forms?.[name];
  const names = Object.keys(forms).join(" and ");
  throw new FileRefused("format", `the tables of ${dataset} are ${names}`, "Set `name` in the mapping to one of them.");
}

/** Stores an entity in its table's form. */
function putEntity(draft: DatasetDraft, entity: Entity, form: EntityForm): RefusedRow | undefined {
  const taken = form.take(entity);
  const { line } = entity;
  if ("refused" in taken) return { line, column: null, code: "malformed", reason: taken.refused };
  const first = draft.entity(taken.entity, taken.keys);
  return first === undefined ? undefined : duplicate(line, first);
}

function put(
  draft: DatasetDraft,
  item: Exclude<Item, { refused: RefusedRow }>,
  kind: RowKind,
  form: EntityForm | undefined,
): RefusedRow | undefined {
  if ("entity" in item && form) return putEntity(draft, item.entity, form);
  const [line, first] =
    "figure" in item ? [item.figure.line, draft.figure(item.figure)] : [item.entity.line, draft.entity(item.entity)];
  if ("figure" in item !== (kind === "figures"))
    throw new FileRefused("format", `this dataset holds ${kind}`, `Set \`rows: ${kind}\` in the mapping.`);
  return first === undefined ? undefined : duplicate(line, first);
}

/** Largest number below which every whole number is exact. */
const exactly = Number.MAX_SAFE_INTEGER;

/** Whether a figure is so large that its last digits may be lost. */
const isRounded = (item: Item): boolean => "figure" in item && Math.abs(item.figure.value ?? 0) > exactly;

const lineOf = (item: Item): number =>
  "figure" in item ? item.figure.line : "entity" in item ? item.entity.line : item.refused.line;

/** Counts a file's rows by line number, since a row may have many figures. */
class RowCount {
  rows = 0;
  private line: number | undefined;
  private items = 0;
  private refused = 0;
  private refusedRows = 0;
  private lost = 0;

  add(item: Item, isRefused: boolean): void {
    const line = lineOf(item);
    if (line !== this.line) {
      this.endRow();
      this.line = line;
      this.rows++;
    }
    this.items++;
    if (isRefused) this.refused++;
  }

  private endRow(): void {
    if (this.refused > 0) {
      this.refusedRows++;
      this.lost += this.refused / this.items;
    }
    this.items = 0;
    this.refused = 0;
  }

  counted() {
    this.endRow();
    const { rows, refusedRows, lost } = this;
    return { rows, refused_rows: refusedRows, refused_share: rows === 0 ? 0 : lost / rows };
  }
}

async function fill(draft: DatasetDraft, reading: Reading, options: StageOptions, form: EntityForm | undefined) {
  let [read, refused, rounded] = [0, 0, 0];
  const count = new RowCount();
  for await (const item of reading.items()) {
    const wrong = "refused" in item ? item.refused : put(draft, item, options.kind, form);
    count.add(item, wrong !== undefined);
    if (++read % reportEvery === 0) options.progress(count.rows);
    if (wrong === undefined) {
      if (isRounded(item)) rounded++;
      continue;
    }
    options.refused(wrong);
    if (++refused > mostRefused)
      throw new FileRefused(
        "malformed",
        `more than ${mostRefused} rows are refused`,
        "The mapping does not fit the file.",
      );
  }
  if (rounded > 0)
    reading.notes.push(`figures beyond ${exactly.toLocaleString("en")}: ${rounded}, of which 15 digits are kept`);
  return { refused, ...count.counted() };
}

/**
 * Reads a file into a draft row by row, with validation. Refusals are reported with line and reason. Throws
 * `FileRefused` and disk errors; the caller then removes the draft.
 */
export async function stage(options: StageOptions): Promise<StagedFile> {
  const reading = await openReading(options);
  const facts = factsOf(reading, options);
  const form = formOf(options.dataset, facts.name);
  const draft = draftDatasetFile(options.draft);
  try {
    const counted = await fill(draft, reading, options, form);
    const { records, indicators } = draft.finish(facts);
    if (records === 0)
      throw new FileRefused("empty", "none of its rows can be imported", "See the refused rows and fix the mapping.");
    if (indicators > mostIndicators)
      throw new FileRefused(
        "unit",
        `it has more than ${mostIndicators} indicators`,
        "A dimension may be a place or a group.",
      );
    const { format, decided, notes } = reading;
    return { facts, reading: { format, decided, notes }, records, ...counted };
  } finally {
    draft.close();
  }
}
