/**
 * The receipts of capabilities that succeeded, as nearly all do: their header and claims differ in twenty values alone.
 * Stored are the values, and what is between them is left out.
 */

/** How values of each kind are written. Ids, hashes and thumbprints are bytes: there is one text for the same bytes. */
const kinds = {
  uuid: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  sha256: "[0-9a-f]{64}",
  /** Of a key (RFC 7638): its last letter holds four bits and no others. */
  thumbprint: "[\\w-]{42}[AEIMQUYcgkosw048]",
  /** Without the quote, which stands between texts where they are stored. */
  text: '[^"\\\\]*',
  digits: "\\d+",
  time: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z",
} as const;

interface Value {
  /** What comes before it, alike in all. */
  readonly before: string;
  readonly kind: keyof typeof kinds;
  /** The place in the list of an earlier value that it has to be like. */
  readonly like?: number;
}

/** None of it ever changes: what was packed by it can't be read without. A test holds to it. */
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

/** Where the digits of ids and hashes begin, in bytes, and where the texts behind them do. */
const hexAt = 32;
const textsAt = values.reduce((at, { kind }) => at + (kind === "uuid" ? 16 : kind === "sha256" ? 32 : 0), hexAt);

/** An instant in fewer letters; undefined where `longTime` would write it in another way. */
function shortTime(written: string): string | undefined {
  const ms = Date.parse(written);
  return ms >= 0 && new Date(ms).toISOString() === written ? ms.toString(36) : undefined;
}

const longTime = (short: string): string => new Date(Number.parseInt(short, 36)).toISOString();

/**
 * A receipt's header and claims, a line each and each of their bytes as one character, as they are stored after `head`.
 * Undefined: it is no usual one.
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

/** What `packUsual` stored after the head, as it was. */
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
