import { FileRefused, type RefusedRow } from "./refusal.ts";
import { type StagedFile, type StageOptions, stage } from "./staging.ts";

/**
 * The worker thread that reads a file into its draft, so that the caller's thread stays free and can stop it at any
 * time. Started by `importer.ts`, once per file.
 */

declare const self: Worker;

/** The thread's only request. */
export type ToImport = Omit<StageOptions, "refused" | "progress">;

export type FromImport =
  | { readonly rows: number }
  | { readonly refused: readonly RefusedRow[] }
  | { readonly staged: StagedFile }
  | { readonly failed: { readonly code: string | null; readonly message: string; readonly hint: string | null } };

const batch = 500;

async function importFile(options: ToImport): Promise<void> {
  let refused: RefusedRow[] = [];
  const post = (message: FromImport) => postMessage(message);
  const flush = () => {
    if (refused.length > 0) post({ refused });
    refused = [];
  };
  try {
    const staged = await stage({
      ...options,
      refused(row) {
        refused.push(row);
        if (refused.length === batch) flush();
      },
      progress: (rows) => post({ rows }),
    });
    flush();
    post({ staged });
  } catch (error) {
    flush();
    const [code, hint] = error instanceof FileRefused ? [error.code, error.hint] : [null, null];
    post({ failed: { code, hint, message: error instanceof Error ? error.message : String(error) } });
  }
}

self.onmessage = ({ data }: MessageEvent<ToImport>) => void importFile(data);
