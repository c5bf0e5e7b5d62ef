import type { Command } from "commander";
import { Credits, UsageSummary } from "../../accounts/usage/schema.ts";
import type { Io } from "../io.ts";
import { apiFor, bodyOf, queryOf } from "./http.ts";
import { credits, facts, harmless, instant, printLines, section, table } from "./screen.ts";
import { type ClientOptions, clientOptions } from "./settings.ts";

interface PageOptions extends ClientOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

async function showCredits(io: Io, options: PageOptions): Promise<void> {
  const { limit, cursor } = options;
  const text = await (await apiFor(io, options)).request("GET", `/v1/credits${queryOf({ limit, cursor })}`);
  if (options.json) return io.out(text);
  const { balance, entries } = bodyOf(Credits, text);
  printLines(
    io,
    facts(io, [
      ["available", credits(balance.available)],
      ["reserved", credits(balance.reserved)],
    ]),
  );
  section(
    io,
    "Entries",
    table(
      io,
      [
        { title: "when (UTC)", cell: (entry) => instant(entry.created_at) },
        { title: "kind", cell: (entry) => entry.kind },
        { title: "amount", cell: (entry) => entry.amount.toLocaleString("en-US"), align: "right" },
        { title: "for", cell: (entry) => entry.run_id ?? entry.reason ?? "" },
      ],
      entries.items,
    ),
  );
  if (entries.next_cursor !== null) io.err(harmless(`There are more: --cursor ${entries.next_cursor}`));
}

async function showUsage(io: Io, options: ClientOptions & { readonly days?: string }): Promise<void> {
  const query = queryOf({ days: options.days });
  const text = await (await apiFor(io, options)).request("GET", `/v1/usage/summary${query}`);
  if (options.json) return io.out(text);
  const usage = bodyOf(UsageSummary, text);
  const runs = Object.entries(usage.runs).filter(([, count]) => count > 0);
  printLines(
    io,
    facts(io, [
      ["period", usage.days === 1 ? "1 day" : `${usage.days} days`],
      ["charged", credits(usage.credits.charged)],
      ["reserved now", credits(usage.credits.reserved_now)],
      ["available", credits(usage.credits.available)],
      ["runs", runs.map(([status, count]) => `${count} ${status}`).join(", ") || "none"],
    ]),
  );
  showUses(
    io,
    "capability",
    usage.by_capability.map(({ capability, ...used }) => ({ subject: capability, ...used })),
  );
  showUses(
    io,
    "use case",
    usage.by_use_case.map(({ use_case, ...used }) => ({ subject: use_case, ...used })),
  );
}

interface Used {
  readonly subject: string;
  readonly runs: number;
  readonly succeeded: number;
  readonly credits: number;
}

/** Prints how much of each was used, or nothing if `uses` is empty. */
function showUses(io: Io, kind: string, uses: readonly Used[]): void {
  if (uses.length === 0) return;
  const count = (title: string, of: (used: Used) => number) => ({
    title,
    cell: (used: Used) => of(used).toLocaleString("en-US"),
    align: "right" as const,
  });
  const columns = [
    count("runs", (used) => used.runs),
    count("succeeded", (used) => used.succeeded),
    count("credits", (used) => used.credits),
    { title: kind, cell: (used: Used) => used.subject },
  ];
  section(io, `By ${kind}`, table(io, columns, uses));
}

/** `assay credits` and `assay usage`. */
export function registerAccount(program: Command, io: Io): void {
  clientOptions(program.command("credits").description("Show the balance and the ledger's entries"))
    .option("--limit <count>", "1 to 100 entries (default: 50)")
    .option("--cursor <cursor>", "continue after an earlier list")
    .action(async (_options, command: Command) => showCredits(io, command.optsWithGlobals<PageOptions>()));
  clientOptions(program.command("usage").description("Show runs and credits of the last days"))
    .option("--days <count>", "1 to 365 (default: 30)")
    .action(async (_options, command: Command) => showUsage(io, command.optsWithGlobals()));
}
