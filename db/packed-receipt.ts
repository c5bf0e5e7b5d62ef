import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * How a receipt is stored: its signature as it is, its header and claims deflated against a text that they have most of
 * their letters in common with. What is read is the receipt that was signed, byte for byte. A quarter of what the compact
 * JWS takes; packing one takes some ten microseconds, of the thread that writes.
 */

/** The first byte of what is packed: which text it was packed against. Another one gets another number. */
const version = 1;

/** Never changes: what was packed against it can't be read without. A test holds its digest. */
const dictionary = Buffer.from(
  [
    '"step":"company","markets","structure","validator","targets","report","decision":"reject","decided_at":"2026-',
    '"status":"withheld","refused","failed","skipped","reason":"cancelled","engine":null,"mode":"trial","kind":"use_case"',
    '"capability":null,"use_case":"insurance-assistant","afa-assurance","market-validator","eu-market-data",',
    '"company-intelligence","exa-filter","model":"',
    '{"alg":"ES256","kid":"","typ":"assay-receipt+jws"}\n',
    '{"run_id":"01a2","firm":"01a2","workspace":"01a2","kind":"capability","capability":"","use_case":null,',
    '"version":"1.0.0","mode":"live","status":"succeeded","reason":null,"engine":{"name":"","version":"1.0.0",',
    '"model":null},"input_sha256":"","result_sha256":"","steps":[{"key":"","capability":"","status":"succeeded",',
    '"charged_credits":0},{"key":""}],"charges":{"currency":"credits","maximum_credits":0,"reserved_credits":0,',
    '"charged_credits":0,"released_credits":0},"approval":null,"finished_at":"2026-11-22T10:00:00.000Z"}',
  ].join(""),
);

/** Of an ES256 signature (RFC 7518, 3.4), in bytes. */
const signatureLength = 64;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** A compact JWS as it is stored. One of another shape than ours is kept as the text that it is. Called by each commit. */
export function packReceipt(receipt: string): Uint8Array | string {
  const [header = "", payload = "", signature = ""] = receipt.split(".");
  const signed = Buffer.from(signature, "base64url");
  if (signed.length !== signatureLength) return receipt;
  const stated = Buffer.concat([
    Buffer.from(header, "base64url"),
    Buffer.from("\n"),
    Buffer.from(payload, "base64url"),
  ]);
  return Buffer.concat([Buffer.from([version]), signed, deflateRawSync(stated, { dictionary, level: 3 })]);
}

/** The compact JWS again. Throws where it was not packed by `packReceipt`. Receipts of releases before are texts. */
export function unpackReceipt(stored: Uint8Array | string): string {
  if (typeof stored === "string") return stored;
  if (stored[0] !== version) throw new Error("the receipt is stored in a form that this version does not know");
  const stated = inflateRawSync(stored.subarray(1 + signatureLength), { dictionary });
  const end = stated.indexOf("\n");
  const parts = [stated.subarray(0, end), stated.subarray(end + 1), stored.subarray(1, 1 + signatureLength)];
  return parts.map(base64url).join(".");
}
