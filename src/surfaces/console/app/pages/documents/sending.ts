import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, sending as sendingBy } from "../../shared/api.ts";
import { freshKey } from "../../shared/browser.ts";
import { uploading } from "../../shared/upload.ts";
import type { Facts } from "./facts.tsx";

/** File extensions that the server can read. */
export const endings = [".pdf", ".docx", ".html", ".htm", ".md", ".markdown", ".txt"];
/** The server's maximum file size, in bytes. */
const bytesAtMost = 32 * 2 ** 20;

/** Prefix of the query keys for imports. */
export const importsKey = ["operator", "document-imports"];

/** A file that has not reached the server. */
export interface Unsent {
  readonly key: string;
  readonly file: File;
  readonly status: "queued" | "sending" | "not_sent";
  /** The share uploaded so far, from 0 to 1. */
  readonly share: number;
  /** Why it was not sent: the code of a reason. A server error is in `error`. */
  readonly reason?: string;
  readonly error?: unknown;
}

/** Returns why a file can't be imported, or `undefined` if it may be sent. */
function hindrance({ name, size }: File): string | undefined {
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) return "unsupported";
  return size > bytesAtMost ? "too_large" : undefined;
}

const unsentOf = (file: File): Unsent => {
  const reason = hindrance(file);
  return {
    key: freshKey(),
    file,
    share: 0,
    ...(reason === undefined ? { status: "queued" } : { status: "not_sent", reason }),
  };
};

/** Sends one file with its facts. `told` receives the share uploaded. */
function send(file: File, facts: Facts, told: (share: number) => void) {
  const said = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ""));
  return bodyOf(
    api.POST("/v1/operator/documents", {
      params: { query: { file: file.name, ...said } },
      headers: { "content-type": "application/octet-stream" },
      // The OpenAPI document types a binary body as a string.
      body: "",
      bodySerializer: () => file,
      fetch: sendingBy(uploading(file, told)),
    }),
  );
}

/** Returns a function that uploads files one after another, with those still pending and those that failed. */
export function useSending() {
  const queries = useQueryClient();
  const [unsent, setUnsent] = useState<readonly Unsent[]>([]);
  const change = (key: string, to: Partial<Unsent>): void =>
    setUnsent((before) => before.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const sending = useMutation({
    mutationFn: async ({ files, facts }: { readonly files: readonly Unsent[]; readonly facts: Facts }) => {
      for (const { key, file } of files) {
        change(key, { status: "sending" });
        try {
          await send(file, facts, (share) => change(key, { share }));
          setUnsent((before) => before.filter((one) => one.key !== key));
        } catch (error) {
          change(key, { status: "not_sent", error });
        }
        await queries.invalidateQueries({ queryKey: importsKey });
      }
    },
  });
  return {
    unsent,
    isSending: sending.isPending,
    begin(files: readonly File[], facts: Facts) {
      const begun = files.map(unsentOf);
      setUnsent(begun);
      sending.mutate({ files: begun.filter(({ status }) => status === "queued"), facts });
    },
  };
}
