import type { Command } from "commander";
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { modeOf, writeDurably } from "../../platform/files.ts";
import { isHttpUrl } from "../../platform/validate.ts";
import { receiptType } from "../../runs/schema.ts";
import { unwritable } from "../file-trouble.ts";
import { CommandError, type Io } from "../io.ts";
import { apiFor, fetchPublic, parsed } from "./http.ts";
import { readText } from "./input.ts";
import { harmless, outline, paint, printLines } from "./screen.ts";
import { type ClientOptions, clientOptions, clientSettings } from "./settings.ts";
import { reasonOf } from "./store.ts";

const jwksPath = "/.well-known/jwks.json";

function keySetOf(text: string, origin: string): JSONWebKeySet {
  try {
    const set: unknown = JSON.parse(text);
    if (typeof set === "object" && set !== null && "keys" in set && Array.isArray(set.keys)) return { keys: set.keys };
  } catch {
    // Falls through to the same advice as for JSON of another form.
  }
  throw new CommandError(
    1,
    `${origin} contains no JSON Web Key Set.`,
    `An Assay server publishes its keys at ${jwksPath}`,
  );
}

export interface Verified {
  /** The receipt's statement, a JSON object. */
  readonly statement: unknown;
  /** The payload as signed. */
  readonly text: string;
  readonly keyId: string | undefined;
}

/**
 * Checks a receipt with public keys only: an ES256 signature by one of them, and the type of a receipt, so that no
 * other signed document passes for one. Throws exit 1 with what is wrong.
 */
export async function verifyReceipt(receipt: string, keys: JSONWebKeySet): Promise<Verified> {
  const foreign = "It was altered, or does not come from the server whose keys these are.";
  try {
    const options = { algorithms: ["ES256"] };
    const { payload, protectedHeader } = await compactVerify(receipt.trim(), createLocalJWKSet(keys), options);
    const { typ, kid } = protectedHeader;
    if (typ !== receiptType)
      throw new CommandError(1, `This is signed, but not a receipt: its type is ${harmless(typ ?? "missing")}.`);
    const text = new TextDecoder().decode(payload);
    return { statement: JSON.parse(text), text, keyId: kid };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw new CommandError(1, "The signature does not match the receipt.", foreign);
    if (error instanceof errors.JWKSNoMatchingKey)
      throw new CommandError(1, `None of the ${keys.keys.length} public keys signed this receipt.`, foreign);
    throw new CommandError(1, `This is not a valid receipt: ${reasonOf(error)}`, foreign);
  }
}

interface VerifyOptions extends ClientOptions {
  readonly jwks?: string;
}

/** Returns the public keys and their origin: a file, a URL or the server. */
async function keysOf(io: Io, options: VerifyOptions): Promise<[JSONWebKeySet, string]> {
  const { jwks } = options;
  if (jwks !== undefined && !isHttpUrl(jwks)) return [keySetOf(await readText(io, jwks), jwks), jwks];
  const url = jwks ?? (await clientSettings(io, options)).baseUrl + jwksPath;
  return [keySetOf(await fetchPublic(io, url), url), url];
}

async function verify(io: Io, path: string, options: VerifyOptions): Promise<void> {
  if (path === "-" && options.jwks === "-")
    throw new CommandError(2, "Only one of the receipt and --jwks can be stdin.");
  const receipt = await readText(io, path);
  const [keys, origin] = await keysOf(io, options);
  const { statement, text, keyId } = await verifyReceipt(receipt, keys);
  io.err(paint(io, "good", `The signature is valid: ES256, key ${keyId ?? "without id"} of ${origin}`));
  if (options.json) io.out(text);
  else printLines(io, outline(statement, io.columns));
}

/** Returns a receipt with its statement, parsed but not verified. Throws exit 1 if it is not a receipt. */
function opened(receipt: string): { receipt: string; statement: unknown } {
  const [, payload = ""] = receipt.split(".");
  const statement = parsed(Buffer.from(payload, "base64url").toString());
  if (statement !== undefined) return { receipt, statement };
  throw new CommandError(1, "The answer is not a receipt.", "Check --base-url.");
}

async function save(io: Io, receipt: string, file: string): Promise<void> {
  try {
    await writeDurably(file, `${receipt}\n`, { mode: await modeOf(file, 0o666) });
  } catch (error) {
    throw unwritable(error, `${file} can't be written`);
  }
  io.err(`Written. Check it with: assay receipt verify ${file}`);
}

async function get(io: Io, id: string, options: ClientOptions & { readonly output?: string }): Promise<void> {
  const receipt = await (await apiFor(io, options)).request("GET", `/v1/runs/${encodeURIComponent(id)}/receipt`);
  const isSaved = options.output !== undefined && options.output !== "-";
  if (isSaved) await save(io, receipt, options.output);
  if (options.json) io.out(JSON.stringify(opened(receipt)));
  else if (!isSaved) io.out(receipt);
}

/** `assay receipt get|verify`. */
export function registerReceipt(program: Command, io: Io): void {
  const receipt = program.command("receipt").description("Get a run's signed receipt, or verify one");
  clientOptions(
    receipt.command("get <run>").description("Get the signed receipt of a finished run"),
    "print the receipt and its unverified statement as JSON",
  )
    .option("--output <file>", "write the receipt to this file instead of printing it")
    .action(async (id: string, _options, command: Command) => get(io, id, command.optsWithGlobals()));
  clientOptions(
    receipt.command("verify <file>").description("Verify a receipt with the public keys only; - reads stdin"),
    "print the receipt's statement as it was signed",
  )
    .option("--jwks <file-or-url>", "the public keys (default: fetched from the server)")
    .action(async (path: string, _options, command: Command) =>
      verify(io, path, command.optsWithGlobals<VerifyOptions>()),
    );
}
