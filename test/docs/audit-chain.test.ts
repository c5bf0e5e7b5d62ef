import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditHash, genesis } from "../../db/audit-chain.ts";
import { sha256Hex } from "../../src/platform/ids.ts";

/** An audit entry as the API shows it. */
interface Shown {
  readonly seq: number;
  readonly at: string;
  readonly firm_id: string | null;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly data: object;
  readonly hash: string;
}

const page = readFileSync(join(import.meta.dir, "../../src/surfaces/docs/content/operations.md"), "utf8");
const chapter = page.slice(page.indexOf("### The chain of the audit log"));
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "ms").exec(chapter)?.[1] ?? "";
const entries = block("json")
  .split("\n")
  .map((line) => JSON.parse(line) as Shown);

test("the hashes of the published entries follow from the published rule", () => {
  expect(entries).toHaveLength(2);
  let previous = "0".repeat(64);
  for (const { seq, at, firm_id, actor, action, subject, data, hash } of entries) {
    const own = JSON.stringify([seq, Date.parse(at), firm_id, actor, action, subject, JSON.stringify(data)]);
    expect(sha256Hex(`${previous}\n${own}`)).toBe(hash);
    previous = hash;
  }
  expect(sha256Hex(block("text"))).toBe(previous);
});

test("they equal the product's own", () => {
  let previous = genesis;
  for (const { data, at, hash, ...row } of entries) {
    expect(auditHash(previous, { ...row, at: Date.parse(at), data_json: JSON.stringify(data) })).toBe(hash);
    previous = hash;
  }
});
