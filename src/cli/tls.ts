import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { tlsFilesOf } from "../config/operations.ts";
import type { Settings } from "../config/settings.ts";
import { reasonFor } from "../platform/system-errors.ts";
import { CommandError } from "./io.ts";

/** A certificate with its chain, and its key, in PEM. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

function read(setting: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(
      2,
      `${setting}: ${file} can't be read: ${reasonFor(error)}`,
      "Correct its path, or the file's permissions.",
    );
  }
}

function parsed<T>(setting: string, file: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new CommandError(
      2,
      `${setting}: ${file} can't be used`,
      "It must be a PEM file, and a key without a password.",
    );
  }
}

/** Reads the certificate and key, if configured. Throws exit 2 if a file can't be used or they don't match. */
export function readTls(settings: Settings): (Tls & { readonly certificate: X509Certificate }) | undefined {
  const files = tlsFilesOf(settings);
  if (!files) return undefined;
  const cert = read("tls_cert", files.cert);
  const key = read("tls_key", files.key);
  const certificate = parsed("tls_cert", files.cert, () => new X509Certificate(cert));
  const privateKey = parsed("tls_key", files.key, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new CommandError(2, "tls_key does not match tls_cert", "Use the key that the certificate was issued for.");
  return { cert, key, certificate };
}
