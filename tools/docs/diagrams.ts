#!/usr/bin/env bun
import { join } from "node:path";
import { documentMachine } from "../../machines/document.ts";
import { jobMachine } from "../../machines/job.ts";
import { runMachine } from "../../machines/run.ts";
import { solutionMachine } from "../../machines/solution.ts";
import { validationMachine } from "../../machines/validation.ts";
import { stateDiagram } from "./state-diagram.ts";
import { migratedTables, tableDiagram } from "./table-diagram.ts";

/**
 * `bun run docs:diagrams` draws the diagrams in `docs/architecture.md` from the code. Each one replaces the text
 * between `<!-- diagram: NAME -->` and `<!-- /diagram -->`; a test fails when the page is out of date.
 */

export const page = join(import.meta.dir, "..", "..", "docs", "architecture.md");

/** Tables drawn together in one diagram; all unlisted tables are in `tables-others`. */
const groups = {
  "tables-firms": ["firms", "users", "members", "workspaces", "api_keys", "entitlements", "gates", "quotas"],
  "tables-work": ["runs", "receipts", "jobs", "effects", "snapshots", "idempotency", "audit", "transfers", "balances"],
  "tables-sign-in": [
    ...["users", "sessions", "refresh_tokens", "one_time_tokens", "external_identities", "invitations", "mail_outbox"],
    ...["oauth_clients", "oauth_codes", "connections", "connection_tokens"],
  ],
  "tables-corpus": ["documents", "chunks"],
  "tables-validator": ["audiences", "validations", "validation_personas"],
} as const satisfies Record<string, readonly string[]>;

async function drawings(): Promise<ReadonlyMap<string, string>> {
  const tables = await migratedTables();
  const named = (name: string) => {
    const table = tables.get(name);
    if (!table) throw new Error(`tools/docs/diagrams.ts names the table ${name}, which the migrations don't create`);
    return table;
  };
  const grouped = new Set<string>(Object.values(groups).flat());
  const others = [...tables.values()].filter(({ name }) => !grouped.has(name));
  return new Map([
    ["run", stateDiagram(runMachine)],
    ["job", stateDiagram(jobMachine)],
    ["document", stateDiagram(documentMachine)],
    ["validation", stateDiagram(validationMachine)],
    ["solution", stateDiagram(solutionMachine)],
    ...Object.entries(groups).map(([name, list]): [string, string] => [name, tableDiagram(list.map(named))]),
    ["tables-others", tableDiagram(others)],
  ]);
}

/** Returns the page with its diagrams redrawn. Throws for an unknown diagram name. */
export async function withDiagrams(text: string): Promise<string> {
  const drawn = await drawings();
  return text.replaceAll(/(<!-- diagram: (\S+) -->\n)[\s\S]*?(<!-- \/diagram -->)/g, (_, opening, name, closing) => {
    const drawing = drawn.get(name);
    if (drawing === undefined) throw new Error(`there is no diagram ${name}`);
    return `${opening}\n\`\`\`mermaid\n${drawing}\n\`\`\`\n\n${closing}`;
  });
}

if (import.meta.main) await Bun.write(page, await withDiagrams(await Bun.file(page).text()));
