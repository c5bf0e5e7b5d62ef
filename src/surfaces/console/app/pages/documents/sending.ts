import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, sending as sendingBy } from "../../shared/api.ts";
import { freshKey } from "../../shared/browser.ts";
import { uploading } from "../../shared/upload.ts";
import type { Facts } from "./facts.tsx";

/** The names of what is read: `.pdf` and the like. */
export const endings = [".pdf", ".docx", ".html", ".htm", ".md", ".markdown", ".txt"];
/** Bytes that the server takes of a file. */
const bytesAtMost = 32 * 2 ** 20;

/** What the queries of imports begin with. */
export const importsKey = ["operator", "document-imports"];

/** A file that has not arrived at the server. */
export interface Unsent {
  readonly key: string;
  readonly file: File;
  readonly status: "queued" | "sending" | "not_sent";
  /** How much of it has left, from 0 to 1. */
  readonly share: number;
  /** Why it was not sent: a reason's code, or what the server answered. */
  readonly reason?: string;
  readonly error?: unknown;
}

/** Why a file need not be sent at all; undefined: it may be. */
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

/** Sends one file with the facts that were said. `told`: how much of it has left. */
function send(file: File, facts: Facts, told: (share: number) => void) {
  const said = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ""));
  return bodyOf(
    api.POST("/v1/operator/documents", {
      params: { query: { file: file.name, ...said } },
      headers: { "content-type": "application/octet-stream" },
      // The document's word for bytes is a text.
      body: "",
      bodySerializer: () => file,
      fetch: sendingBy(uploading(file, told)),
    }),
  );
}

/** Sends files one after the other: what has not arrived yet, and what could not be sent. */
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
