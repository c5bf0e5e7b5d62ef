import { zlib } from "../src/platform/builtins.ts";
import { packUsual, unpackUsual } from "./usual-receipt.ts";

/**
 * The storage format of receipts. The signature is stored as it is. For usual receipts (see `usual-receipt.ts`), only
 * the values are stored; for others, the bytes of ids and hashes, which do not compress, and the remaining text
 * deflated with a preset dictionary. Unpacking returns exactly the signed receipt, byte for byte. The result is a sixth
 * of the compact JWS. Packing takes about four microseconds of the writer thread, deflating about twenty.
 */

/** The first byte of a packed receipt: its format and dictionary. A new format gets a new number. */
const version = { deflated: 1, withBytesApart: 2, byItsValues: 3 } as const;

/** Characters that mark where separately stored bytes belong. They cannot occur in JSON, which escapes them. */
const mark = { uuid: "\u0001", sha256: "\u0002", thumbprint: "\u0003" } as const;

const parts = [
  '"step":"company","markets","structure","validator","targets","report","decision":"reject","decided_at":"2026-',
  '"status":"withheld","refused","failed","skipped","reason":"cancelled","engine":null,"mode":"trial","kind":"use_case"',
  '"capability":null,"use_case":"insurance-assistant","afa-assurance","market-validator","eu-market-data",',
  '"company-intelligence","exa-filter","model":"',
];
const usual = (kid: string, uuid: string, sha256: string): string =>
  [
    `{"alg":"ES256","kid":"${kid}","typ":"assay-receipt+jws"}\n`,
    `{"run_id":"${uuid}","firm":"${uuid}","workspace":"${uuid}","kind":"capability","capability":"","use_case":null,`,
    '"version":"1.0.0","mode":"live","status":"succeeded","reason":null,"engine":{"name":"","version":"1.0.0",',
    `"model":null},"input_sha256":"${sha256}","result_sha256":"${sha256}","steps":[{"key":"","capability":"","status":"succeeded",`,
    '"charged_credits":0},{"key":""}],"charges":{"currency":"credits","maximum_credits":0,"reserved_credits":0,',
    '"charged_credits":0,"released_credits":0},"approval":null,"finished_at":"2026-11-22T10:00:00.000Z"}',
  ].join("");

/** Must never change: existing receipts cannot be unpacked without them. A test checks their digests. */
const dictionaries = {
  [version.deflated]: Buffer.from(parts.join("") + usual("", "01a2", "")),
  [version.withBytesApart]: Buffer.from(parts.join("") + usual(mark.thumbprint, mark.uuid, mark.sha256), "latin1"),
};

/** Length of an ES256 signature in bytes (RFC 7518, 3.4). */
const signatureLength = 64;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
/** Decodes a part to one character per byte, so that any part can be packed. */
const latin1 = (part: string): string => Buffer.from(part, "base64url").toString("latin1");

const marks = new RegExp(`[${Object.values(mark).join("")}]`);
const eachMark = new RegExp(marks, "g");
const lengthOf = (found: string): number => (found === mark.uuid ? 16 : 32);
const encoded = /"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[\w-]{43})"/g;

/** Returns an id, SHA-256 or key thumbprint (RFC 7638) as bytes, and the mark that replaces it. */
function bytesOf(text: string): { bytes: Buffer; by: string } {
  if (text.length === 36) return { bytes: Buffer.from(text.replaceAll("-", ""), "hex"), by: mark.uuid };
  if (text.length === 64) return { bytes: Buffer.from(text, "hex"), by: mark.sha256 };
  return { bytes: Buffer.from(text, "base64url"), by: mark.thumbprint };
}

/** Returns the text for such bytes. */
function textOf(bytes: Buffer, by: string): string {
  if (by === mark.thumbprint) return bytes.toString("base64url");
  const hex = bytes.toString("hex");
  return by === mark.sha256 ? hex : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Replaces each id, hash and thumbprint by a mark, and returns their bytes in the order of the text. */
function takeApart(text: string): { marked: string; bytes: readonly Buffer[] } {
  const bytes: Buffer[] = [];
  const marked = text.replace(encoded, (quoted) => {
    const found = bytesOf(quoted.slice(1, -1));
    // Ids and hashes always round-trip, but not every text of a thumbprint's length is valid base64url.
    if (found.by === mark.thumbprint && textOf(found.bytes, found.by) !== quoted.slice(1, -1)) return quoted;
    bytes.push(found.bytes);
    return `"${found.by}"`;
  });
  return { marked, bytes };
}

/** Puts back the bytes that `takeApart` removed. They are at the end of the stored form. */
function putTogether(marked: string, stored: Buffer): string {
  const apart = (marked.match(eachMark) ?? []).reduce((sum, found) => sum + lengthOf(found), 0);
  let at = stored.length - apart;
  return marked.replace(eachMark, (found) => {
    at += lengthOf(found);
    return textOf(stored.subarray(at - lengthOf(found), at), found);
  });
}

type Way = keyof typeof dictionaries;

/**
 * A 4 KiB window holds the dictionary and a receipt. Most of the default 32 KiB would be cleared for nothing each time.
 */
const effort = { level: 3, windowBits: 12, memLevel: 6 } as const;

const packed = (way: Way, signed: Buffer, text: string, apart: readonly Buffer[] = []): Uint8Array => {
  const deflated = zlib().deflateRawSync(Buffer.from(text, "latin1"), { dictionary: dictionaries[way], ...effort });
  return Buffer.concat([Buffer.from([way]), signed, deflated, ...apart]);
};

/** Returns the stored form of a compact JWS. A receipt of another shape is stored as text. Called in each commit. */
export function packReceipt(receipt: string): Uint8Array | string {
  const [header = "", payload = "", signature = ""] = receipt.split(".");
  const signed = Buffer.from(signature, "base64url");
  if (signed.length !== signatureLength) return receipt;
  const text = `${latin1(header)}\n${latin1(payload)}`;
  const usual = packUsual(text, Buffer.concat([Buffer.from([version.byItsValues]), signed]));
  if (usual) return usual;
  if (marks.test(text)) return packed(version.deflated, signed, text);
  const { marked, bytes } = takeApart(text);
  return packed(version.withBytesApart, signed, marked, bytes);
}

/** Returns the header and claims of a packed receipt, given without its first byte and signature. */
function statedIn(stored: Buffer, way: number | undefined): string {
  if (way === version.byItsValues) return unpackUsual(stored);
  if (way !== version.deflated && way !== version.withBytesApart)
    throw new Error("the receipt is stored in a format that this version does not know");
  // Inflating stops at the end of the deflated data; the separately stored bytes follow it.
  const inflated = zlib().inflateRawSync(stored, { dictionary: dictionaries[way] }).toString("latin1");
  return way === version.deflated ? inflated : putTogether(inflated, stored);
}

/** Returns the compact JWS. Receipts of earlier releases are stored as text. Throws for an unknown form. */
export function unpackReceipt(stored: Uint8Array | string): string {
  if (typeof stored === "string") return stored;
  const signed = stored.subarray(1, 1 + signatureLength);
  const text = statedIn(Buffer.from(stored.subarray(1 + signatureLength)), stored[0]);
  const end = text.indexOf("\n");
  const stated = [text.slice(0, end), text.slice(end + 1)].map((part) => Buffer.from(part, "latin1"));
  return [...stated, signed].map(base64url).join(".");
}
