/**
 * The index file: a fixed header, a JSON head that lists the sections, and the sections. Each is a typed array, aligned
 * to eight bytes, with its own checksum. Little-endian, as is every machine on which Bun runs.
 *
 * `ASSAYIDX` | format u32 | head's length u32 | head's xxHash64 u64 | head | sections
 */
export const indexFormat = 1;

/** The file is damaged, truncated or of another format. It is derived data, so it is discarded and rebuilt. */
export class IndexFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "IndexFileError";
  }
}

const types = { u8: Uint8Array, i8: Int8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;
type TypeName = keyof typeof types;
export type Section = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;

interface Entry {
  readonly name: string;
  readonly type: TypeName;
  readonly offset: number;
  readonly bytes: number;
  readonly hash: string;
}

interface Head {
  readonly meta: unknown;
  readonly sections: readonly Entry[];
}

const magic = "ASSAYIDX";
const fixed = 24;
const aligned = (at: number): number => Math.ceil(at / 8) * 8;
const hashOf = (bytes: Uint8Array): bigint => Bun.hash.xxHash64(bytes);
const bytesOf = ({ buffer, byteOffset, byteLength }: Section): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function typeOf(section: Section): TypeName {
  if (section instanceof Uint8Array) return "u8";
  if (section instanceof Int8Array) return "i8";
  if (section instanceof Uint16Array) return "u16";
  return section instanceof Uint32Array ? "u32" : "f32";
}

/** Returns the file's parts, to be written one after another. */
export function encodeIndex(meta: unknown, sections: Readonly<Record<string, Section>>): Uint8Array[] {
  let at = 0;
  const entries: Entry[] = Object.entries(sections).map(([name, section]) => {
    const bytes = bytesOf(section);
    const entry = { name, type: typeOf(section), offset: at, bytes: bytes.length, hash: hashOf(bytes).toString(16) };
    at = aligned(at + bytes.length);
    return entry;
  });
  const head = new TextEncoder().encode(JSON.stringify({ meta, sections: entries } satisfies Head));
  const start = new Uint8Array(aligned(fixed + head.length));
  const view = new DataView(start.buffer);
  start.set(new TextEncoder().encode(magic));
  view.setUint32(8, indexFormat, true);
  view.setUint32(12, head.length, true);
  view.setBigUint64(16, hashOf(head), true);
  start.set(head, fixed);
  const padded = Object.values(sections).flatMap((section) => {
    const bytes = bytesOf(section);
    return [bytes, new Uint8Array(aligned(bytes.length) - bytes.length)];
  });
  return [start, ...padded];
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { name, type, offset, bytes, hash } = value as Partial<Record<keyof Entry, unknown>>;
  return (
    typeof name === "string" &&
    typeof type === "string" &&
    Object.hasOwn(types, type) &&
    Number.isSafeInteger(offset) &&
    Number(offset) >= 0 &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0 &&
    typeof hash === "string"
  );
}

function readHead(file: Uint8Array): { head: Head; start: number } {
  if (file.length < fixed || new TextDecoder().decode(file.subarray(0, 8)) !== magic)
    throw new IndexFileError("it is not an index file");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const format = view.getUint32(8, true);
  if (format !== indexFormat) throw new IndexFileError(`it has format ${format}; this version reads ${indexFormat}`);
  const length = view.getUint32(12, true);
  if (fixed + length > file.length) throw new IndexFileError("it is truncated");
  const bytes = file.subarray(fixed, fixed + length);
  if (hashOf(bytes) !== view.getBigUint64(16, true)) throw new IndexFileError("its head is damaged");
  const head: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof head !== "object" || head === null || !("sections" in head) || !Array.isArray(head.sections))
    throw new IndexFileError("its head is damaged");
  if (!head.sections.every(isEntry) || !("meta" in head)) throw new IndexFileError("its head is damaged");
  return { head: { meta: head.meta, sections: head.sections }, start: aligned(fixed + length) };
}

/**
 * Decodes a file without copying it: the sections are views of `file`, which must be aligned to eight bytes. Throws
 * `IndexFileError` if anything is wrong with it.
 */
export function decodeIndex(file: Uint8Array): { meta: unknown; sections: ReadonlyMap<string, Section> } {
  const { head, start } = readHead(file);
  const sections = new Map<string, Section>();
  for (const { name, type, offset, bytes, hash } of head.sections) {
    const from = start + offset;
    if (from + bytes > file.length) throw new IndexFileError("it is truncated");
    const Type = types[type];
    if (offset % 8 !== 0 || bytes % Type.BYTES_PER_ELEMENT !== 0) throw new IndexFileError(`${name} is damaged`);
    if (hashOf(file.subarray(from, from + bytes)).toString(16) !== hash) throw new IndexFileError(`${name} is damaged`);
    sections.set(name, new Type(file.buffer as ArrayBuffer, file.byteOffset + from, bytes / Type.BYTES_PER_ELEMENT));
  }
  return { meta: head.meta, sections };
}

/** Returns a section by name. Throws `IndexFileError` if it is missing or of another type. */
export function sectionOf<S extends Section>(
  sections: ReadonlyMap<string, Section>,
  name: string,
  type: abstract new (...a: never[]) => S,
): S {
  const found = sections.get(name);
  if (!(found instanceof type)) throw new IndexFileError(`${name} is missing`);
  return found;
}
