import type { Command } from "commander";
import { transfersOf } from "../../db/queries/ledger.ts";
import { ensureCaughtUp } from "../../db/queries/secondary-indexes.ts";
import type { Store } from "../../db/store.ts";
import { adjustCredits, grantCredits } from "../accounts/admin/credits.ts";
import { creditBalance, creditEntry } from "../accounts/usage/service.ts";
import { change, firmOf, look, show } from "./admin-run.ts";
import { type Context, jsonHelp, wholeNumber } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid, pairs } from "./table.ts";

interface ChangeFlags {
  readonly credits: number;
  readonly reason: string;
  readonly firm?: string;
  readonly json?: boolean;
}

async function account(store: Store, given: string | undefined, limit: number) {
  const { read } = store;
  const firm = await firmOf(read, given);
  await ensureCaughtUp(store, "firm_transfers");
  const transfers = await transfersOf(read, firm.id, limit);
  return {
    firm: { id: firm.id, slug: firm.slug },
    balance: await creditBalance(read, firm.id),
    entries: transfers.map(creditEntry),
  };
}

function registerShow(credits: Command, context: Context): void {
  credits
    .command("show")
    .description("Show a firm's balance and ledger entries")
    .option("--firm <firm>", "id or slug")
    .option("--limit <number>", "maximum number of entries, the newest", wholeNumber, 20)
    .option("--json", jsonHelp)
    .action(async (flags: { firm?: string; limit: number; json?: boolean }) => {
      if (flags.limit < 1 || flags.limit > 10_000) throw new CommandError(2, "--limit must be from 1 to 10000");
      const view = await look(context, (store) => account(store, flags.firm, flags.limit));
      const { firm, balance, entries } = view;
      const rows = entries.map((e) => [e.created_at, e.kind, e.amount, e.run_id, e.step, e.reason]);
      const lines = [...pairs(context.io, { firm: firm.slug, ...balance }), ""];
      const listed = grid(context.io, ["TIME", "KIND", "AMOUNT", "RUN", "STEP", "REASON"], rows);
      show(context.io, flags.json, view, [...lines, ...listed]);
    });
}

/** `assay admin credits …` */
export function registerCreditCommands(admin: Command, context: Context): void {
  const credits = admin.command("credits").description("Show, grant and adjust a firm's credits");
  registerShow(credits, context);
  const changes = {
    grant: "Grant credits to a firm",
    adjust: "Adjust a firm's available credits; a negative number deducts",
  } as const;
  for (const verb of ["grant", "adjust"] as const)
    credits
      .command(verb)
      .description(changes[verb])
      .requiredOption("--credits <number>", "whole credits", wholeNumber)
      .requiredOption("--reason <text>", "reason recorded in the ledger")
      .option("--firm <firm>", "id or slug")
      .option("--json", jsonHelp)
      .action(async (flags: ChangeFlags) => {
        const view = await change(context, async (tx, audit) => {
          const firm = await firmOf(tx, flags.firm);
          const given = { firm_id: firm.id, credits: flags.credits, reason: flags.reason };
          if (verb === "grant") await grantCredits(tx, audit, given);
          else if (!(await adjustCredits(tx, audit, given)))
            throw new CommandError(
              1,
              `${firm.slug} has fewer credits available than that`,
              "See `assay admin credits show`.",
            );
          return { firm: { id: firm.id, slug: firm.slug }, balance: await creditBalance(tx, firm.id) };
        });
        show(context.io, flags.json, view, pairs(context.io, { firm: view.firm.slug, ...view.balance }));
      });
}
