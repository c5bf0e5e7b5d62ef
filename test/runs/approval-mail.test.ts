import { describe, expect, test } from "bun:test";
import { newestMail } from "../../db/queries/mail-outbox.ts";
import type { Transport } from "../../src/integrations/mail/smtp.ts";
import { smtpTransport } from "../../src/integrations/mail/smtp.ts";
import { day, minute } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { succeed } from "../support/engines.ts";
import { type Firm, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { PostOffice } from "../support/smtp.ts";

/** Each test has its own mail server: their firms have the same ids, and so the same addresses. */
const transport = ({ url }: PostOffice): Transport => smtpTransport({ url, from: "Assay <no-reply@assay.test>" });

const secret = "Jan Novák, the named contact";
type Role = keyof Firm["people"];
const addressOf = (firm: Firm, role: Role): string => `${role}@${firm.id}.test`;

async function speaks(world: World, firm: Firm, role: Role, locale: string): Promise<void> {
  const answer = await world.ask("/auth/v1/user", { method: "PATCH", as: firm.people[role].token, body: { locale } });
  expect(answer.status).toBe(200);
}

/** Starts a run whose second step's output is `secret` and awaits approval. */
async function waiting(world: World, firm: Firm): Promise<Run> {
  world.engines.echo.behave = succeed(400);
  world.engines.names.behave = succeed(600, secret);
  const run = await world.settled(firm, { useCase: "triage" });
  expect(run.status).toBe("awaiting_approval");
  return run;
}

const outbox = async (world: World, firm: Firm) =>
  (await newestMail(world.store.read, 100)).filter(({ recipient }) => recipient.endsWith(`@${firm.id}.test`));
const decide = (world: World, as: string, { id }: Run) =>
  world.ask(`/v1/runs/${id}/approval`, { as, body: { decision: "approve" } });

describe("an approval request", () => {
  test("is mailed to everyone who may decide, in their language, with a link but no withheld content", async () => {
    await using office = await PostOffice.open();
    await using world = await World.open(undefined, { mail: transport(office) });
    await world.app.recover();
    const firm = await world.firm();
    await speaks(world, firm, "owner", "de-AT");
    await speaks(world, firm, "approver", "cs");
    const run = await waiting(world, firm);
    const link = `http://assay.test/console/approvals/${run.id}`;
    const owner = await office.mailTo(addressOf(firm, "owner"));
    const approver = await office.mailTo(addressOf(firm, "approver"));
    expect(owner.headers.subject).toBe("Eine Freigabe wartet auf Ihre Entscheidung");
    expect(approver.headers.subject).toBe("Schválení čeká na vaše rozhodnutí");
    for (const { text, html } of [owner, approver])
      for (const part of [text, html]) {
        expect(part).toContain(link);
        expect(part).not.toContain("Novák");
        expect(part).not.toContain("{");
      }
    expect(owner.text).toContain("8. März 2026 um 12:00 UTC");
    expect((await outbox(world, firm)).map(({ recipient }) => recipient).sort()).toEqual(
      [addressOf(firm, "approver"), addressOf(firm, "owner")].sort(),
    );
    await expectSound(world.store);
  });

  test("is mailed once more a day before it expires", async () => {
    await using office = await PostOffice.open();
    await using world = await World.open(undefined, { mail: transport(office) });
    await world.app.recover();
    const firm = await world.firm();
    await waiting(world, firm);
    await office.mailTo(addressOf(firm, "approver"));
    await world.app.parts.mailer.idle();
    world.clock.advance(6 * day - minute);
    await world.idle();
    expect(await outbox(world, firm)).toHaveLength(2);
    world.clock.advance(minute);
    const reminder = await office.mailTo(addressOf(firm, "approver"), 2);
    expect(reminder.headers.subject).toBe("An approval expires in one day");
    world.clock.advance(2 * day);
    await world.idle();
    expect(await outbox(world, firm)).toHaveLength(4);
    expect(await world.count("effects")).toBe(0);
  });

  test("is not mailed again if decided in time", async () => {
    await using office = await PostOffice.open();
    await using world = await World.open(undefined, { mail: transport(office) });
    await world.app.recover();
    const firm = await world.firm();
    const run = await waiting(world, firm);
    await office.mailTo(addressOf(firm, "approver"));
    expect((await decide(world, firm.people.owner.token, run)).status).toBe(200);
    await world.idle();
    expect(await world.count("effects")).toBe(0);
    world.clock.advance(6 * day);
    await world.idle();
    expect(await outbox(world, firm)).toHaveLength(2);
  });

  test("is not mailed to unconfirmed addresses", async () => {
    await using office = await PostOffice.open();
    await using world = await World.open(undefined, { mail: transport(office) });
    const firm = await world.firm();
    await world.store.write((tx) =>
      tx.updateTable("users").set({ email_confirmed_at: null }).where("id", "=", firm.people.owner.id).execute(),
    );
    await waiting(world, firm);
    expect((await outbox(world, firm)).map(({ recipient }) => recipient)).toEqual([addressOf(firm, "approver")]);
  });

  test("queues no mail on an installation that cannot send any", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await waiting(world, firm);
    expect(await outbox(world, firm)).toEqual([]);
    expect(await world.count("effects")).toBe(1);
  });
});

test("a kill at any commit neither loses nor duplicates a message", async () => {
  const photographs: string[] = [];
  await using office = await PostOffice.open();
  const mail = transport(office);
  await using world = await World.open((current) => photographs.push(current().photograph()), { mail });
  const firm = await world.firm();
  photographs.length = 0;
  await waiting(world, firm);
  await until(async () => (await outbox(world, firm)).length === 2, "both messages");
  let told = 0;
  for (const photograph of photographs) {
    await using next = await world.restart(photograph);
    await next.idle();
    const [run] = ((await (await next.ask("/v1/runs", { as: firm.key })).json()) as { items: Run[] }).items;
    if (run?.status !== "awaiting_approval") continue;
    told++;
    const messages = await outbox(next, firm);
    expect(messages.map(({ recipient }) => recipient).sort()).toEqual(
      [addressOf(firm, "approver"), addressOf(firm, "owner")].sort(),
    );
    await expectSound(next.store);
  }
  expect(told).toBeGreaterThan(1);
});
