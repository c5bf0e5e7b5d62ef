/**
 * A compact format for the receipts of succeeded capability runs, which are nearly all of them. Their headers and
 * claims differ in only twenty values, so only the values are stored.
 */

/**
 * How values of each kind are written. Ids, hashes and thumbprints are stored as bytes: the same bytes give one text.
 */
const kinds = {
  uuid: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  sha256: "[0-9a-f]{64}",
  /** The thumbprint of a key (RFC 7638). Its last character encodes only four bits. */
  thumbprint: "[\\w-]{42}[AEIMQUYcgkosw048]",
  /** Without the quotation mark, which separates texts in the stored form. */
  text: '[^"\\\\]*',
  digits: "\\d+",
  time: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z",
} as const;

interface Value {
  /** The constant text before it. */
  readonly before: string;
  readonly kind: keyof typeof kinds;
  /** Index of an earlier value that it must equal. */
  readonly like?: number;
}

/** Must never change: existing receipts cannot be unpacked without it. A test checks it. */
const values: readonly Value[] = [
  { before: '{"alg":"ES256","kid":"', kind: "thumbprint" },
  { before: '","typ":"assay-receipt+jws"}\n{"run_id":"', kind: "uuid" },
  { before: '","firm":"', kind: "uuid" },
  { before: '","workspace":"', kind: "uuid" },
  { before: '","kind":"capability","capability":"', kind: "text" },
  { before: '","use_case":null,"version":"', kind: "text" },
  { before: '","mode":"', kind: "text" },
  { before: '","status":"succeeded","reason":null,"engine":{"name":"', kind: "text" },
  { before: '","version":"', kind: "text" },
  { before: '","model":null},"input_sha256":"', kind: "sha256" },
  { before: '","result_sha256":"', kind: "sha256" },
  { before: '","steps":[{"key":"', kind: "text", like: 4 },
  { before: '","capability":"', kind: "text", like: 4 },
  { before: '","status":"succeeded","charged_credits":', kind: "digits" },
  { before: '}],"charges":{"currency":"credits","maximum_credits":', kind: "digits" },
  { before: ',"reserved_credits":', kind: "digits" },
  { before: ',"charged_credits":', kind: "digits", like: 13 },
  { before: ',"released_credits":', kind: "digits" },
  { before: '},"approval":null,"finished_at":"', kind: "time" },
];
const end = '"}';

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const pattern = new RegExp(
  `^${values.map(({ before, kind }) => `${literally(before)}(${kinds[kind]})`).join("")}${literally(end)}$`,
);

/** Offsets in bytes: of the ids and hashes, and of the texts after them. */
const hexAt = 32;
const textsAt = values.reduce((at, { kind }) => at + (kind === "uuid" ? 16 : kind === "sha256" ? 32 : 0), hexAt);

/** Returns an instant in shorter form, or `undefined` if `longTime` would not restore the same text. */
function shortTime(written: string): string | undefined {
  const ms = Date.parse(written);
  return ms >= 0 && new Date(ms).toISOString() === written ? ms.toString(36) : undefined;
}

const longTime = (short: string): string => new Date(Number.parseInt(short, 36)).toISOString();

/**
 * Returns the stored form, following `head`, of a receipt's header and claims: one line each, one character per byte.
 * Returns `undefined` if it is not a usual receipt.
 */
export function packUsual(stated: string, head: Uint8Array): Uint8Array | undefined {
  const found = pattern.exec(stated);
  if (!found) return undefined;
  let thumbprint = "";
  let hex = "";
  const texts: string[] = [];
  for (const [i, { kind, like }] of values.entries()) {
    const value = found[i + 1] ?? "";
    if (like !== undefined) {
      if (value !== found[like + 1]) return undefined;
    } else if (kind === "thumbprint") thumbprint = value;
    else if (kind === "uuid" || kind === "sha256") hex += value;
    else {
      const text = kind === "time" ? shortTime(value) : value;
      if (text === undefined) return undefined;
      texts.push(text);
    }
  }
  const behind = texts.join('"');
  const packed = Buffer.allocUnsafe(head.length + textsAt + behind.length);
  packed.set(head);
  packed.write(thumbprint, head.length, "base64url");
  packed.write(hex.replaceAll("-", ""), head.length + hexAt, "hex");
  packed.write(behind, head.length + textsAt, "latin1");
  return packed;
}

/** Restores what `packUsual` stored after `head`. */
export function unpackUsual(stored: Buffer): string {
  const hex = stored.toString("hex", hexAt, textsAt);
  const texts = stored.toString("latin1", textsAt).split('"');
  let at = 0;
  const digits = (length: number): string => {
    at += length;
    return hex.slice(at - length, at);
  };
  const read = {
    thumbprint: () => stored.toString("base64url", 0, hexAt),
    uuid: () => [8, 4, 4, 4, 12].map(digits).join("-"),
    sha256: () => digits(64),
    text: () => texts.shift() ?? "",
    digits: () => texts.shift() ?? "",
    time: () => longTime(texts.shift() ?? ""),
  };
  const own: string[] = [];
  for (const { kind, like } of values) own.push(like === undefined ? read[kind]() : (own[like] ?? ""));
  return values.map(({ before }, i) => before + own[i]).join("") + end;
}
