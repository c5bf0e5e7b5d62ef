import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPlace } from "../../src/cli/import-lock.ts";
import { type Paths, pathsOf } from "../../src/cli/installation.ts";
import { serverBackups } from "../../src/cli/server-backups.ts";
import type { InstallationTools } from "../../src/contracts/installation.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import type { Browser } from "./operator-browser.ts";

/** A data folder whose server accepts documents. */
export class DocumentPlace implements Disposable {
  readonly paths: Paths = pathsOf({ data: mkdtempSync(join(tmpdir(), "assay-documents-")) });

  get installation(): InstallationTools {
    const backups = serverBackups(systemRuntime, createLog(systemRuntime, "error"), this.paths);
    return { health: async () => [], backups, documents: importPlace(this.paths, systemRuntime) };
  }

  [Symbol.dispose](): void {
    rmSync(this.paths.folder, { recursive: true, force: true });
  }
}

/** An import as the API shows it. */
export interface ShownImport {
  readonly id: string;
  readonly file: string;
  readonly status: string;
  readonly document_id: string | null;
  readonly chunks: number;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly notes: readonly string[];
}

/** The metadata that a carrier's document requires. */
export const carriersFacts = {
  market: "CZ",
  carrier: "Modrá",
  product_line: "household",
  document_type: "terms",
  provenance: "carrier",
} as const;

type Body = Uint8Array | string | ReadableStream<Uint8Array>;

/** Uploads a file with its metadata, as the console does. */
export function send(
  browser: Browser,
  file: string,
  body: Body,
  facts: Readonly<Record<string, string>> = carriersFacts,
) {
  const query = new URLSearchParams({ file, ...facts });
  const headers = { "content-type": "application/octet-stream" };
  return browser.ask(`/v1/operator/documents?${query}`, { method: "POST", body, headers });
}

/** Uploads a file, and waits until it is imported or refused. */
export async function imported(...sent: Parameters<typeof send>): Promise<ShownImport> {
  const accepted = await send(...sent);
  if (accepted.status !== 202) throw new Error(`not accepted: ${accepted.status} ${await accepted.text()}`);
  const ended = await sent[0].ask(`${accepted.headers.get("location")}?wait=60`);
  return (await ended.json()) as ShownImport;
}
