import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { unscoped } from "../../db/tenancy.ts";
import { present } from "../../src/platform/assert.ts";
import { useCase } from "../support/engines.ts";
import { type Firm, World } from "../support/harness.ts";
import { goodPassword } from "../support/people.ts";
import { names, shortlist, waitingShortlist } from "../support/shortlist.ts";
import { becomes, contextOf, executable, launch } from "./chromium.ts";
import { type Console, enter, look, settled, visit } from "./console-walk.ts";

const walk = test.skipIf(executable === undefined);

let world: World;
let firm: Firm;
let server: ReturnType<typeof Bun.serve>;
let answer: (request: Request) => Promise<Response>;
let browser: Console["browser"];

beforeAll(async () => {
  if (executable === undefined) return;
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  world = await World.open(undefined, { baseUrl, useCases: [useCase("triage", "available"), shortlist] });
  await world.openGates("shortlist");
  answer = async (request) => world.app.fetch(request);
  firm = await world.firm();
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop(true);
  await world?.[Symbol.asyncDispose]();
});

/** Creates a password for a person of a firm, with an operator's permissions if `operator` is set. */
async function somebody(role: keyof Firm["people"], { operator = false, of = firm } = {}): Promise<Console> {
  const { id } = of.people[role];
  const password_hash = await Bun.password.hash(goodPassword);
  await world.store.write((tx) =>
    unscoped(tx)
      .updateTable("users")
      .set({ password_hash, is_operator: operator ? 1 : 0 })
      .where("id", "=", id)
      .execute(),
  );
  const { email } = await unscoped(world.store.read)
    .selectFrom("users")
    .select("email")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { browser, base: `http://127.0.0.1:${server.port}`, email, password: goodPassword };
}

/** Checks that a control is fully visible horizontally, without scrolling sideways. */
async function standsInTheWindow(page: Page, control: Locator): Promise<void> {
  const { x, width } = present(await control.boundingBox(), "a control that is shown");
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(present(page.viewportSize(), "a window").width);
}

/** Returns the number of entries in a firm's ledger. */
async function entriesOf({ key }: Firm): Promise<number> {
  const listed = await world.ask("/v1/credits", { as: key });
  return ((await listed.json()) as { readonly entries: { readonly items: readonly unknown[] } }).entries.items.length;
}

describe("in the console", () => {
  walk("an approver decides item by item on a phone", async () => {
    const approver = await somebody("approver");
    const run = await waitingShortlist(world, firm);
    await visit(approver, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, approver, "approvals");
      await look(page, "console-approvals-phone-light");
      await page.getByRole("link", { name: "Decide" }).click();
      const approve = page.getByRole("button", { name: /^Approve( selected)?$/ });
      await approve.waitFor();
      await becomes(() => approve.isDisabled(), true);
      for (const name of names.slice(0, 2)) await page.getByRole("checkbox", { name }).check();
      await page.getByLabel("Comment").fill("The two that we know.");
      await look(page, "console-approval-phone-light");
      await page.getByText("2 of 10 selected", { exact: true }).waitFor();
      await approve.click();
      const dialog = page.getByRole("dialog", { name: "Approve 2, reject and erase 8?" });
      await dialog.waitFor();
      await look(page, "console-approval-part-phone-light");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      expect((await world.run(firm, run.id)).status).toBe("awaiting_approval");
      await approve.click();
      await dialog.getByRole("button", { name: "Approve selected" }).click();
      await page.getByText("This approval has been decided.").waitFor();
      await page.getByText("The two that we know.").waitFor();
      await page.getByText("2 of 10 approved", { exact: true }).waitFor();
      await page.getByText(`Decided by ${approver.email}`).waitFor();
      await look(page, "console-approval-decided-phone-light");
      await page.getByRole("link", { name: "Open the run" }).click();
      await page.getByText(`2 of 10 approved by ${approver.email} on `).waitFor();
    });
    await world.idle();
    const ended = await world.run(firm, run.id);
    expect(ended.approval).toMatchObject({ decision: "approve", decided_by: firm.people.approver.id });
    expect(ended.approval?.items?.map(({ decision }) => decision)).toEqual([
      ...["approve", "approve"],
      ...Array(8).fill("reject"),
    ]);
  });

  walk(
    "rejecting asks for confirmation, and a member sees that an approval is pending, but not its content",
    async () => {
      const [approver, member] = [await somebody("approver"), await somebody("member")];
      const run = await waitingShortlist(world, firm);
      await visit(member, { size: "wide", scheme: "dark" }, async (page) => {
        await enter(page, member, `approvals/${run.id}`);
        await page.getByText("Only owners and approvers can see the content.").waitFor();
        expect(await page.getByText("Zmrzlina").count()).toBe(0);
        expect(await page.getByRole("button", { name: "Reject" }).count()).toBe(0);
        await look(page, "console-approval-hidden-wide-dark");
      });
      await visit(approver, { size: "wide", scheme: "light" }, async (page) => {
        await enter(page, approver, `runs/${run.id}`);
        await look(page, "console-run-waiting-wide-light");
        const { reserved_credits, charged_credits } = (await world.run(firm, run.id)).charges;
        expect(charged_credits).toBeGreaterThan(0);
        const still = new Intl.NumberFormat("en").format(reserved_credits - charged_credits);
        await page.getByText(`${still} credits still reserved`).waitFor();
        await page.getByRole("link", { name: "Decide" }).click();
        await page.getByRole("button", { name: "Reject", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Reject permanently?" });
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        expect((await world.run(firm, run.id)).status).toBe("awaiting_approval");
        await page.getByRole("button", { name: "Reject", exact: true }).click();
        await dialog.getByRole("button", { name: "Reject" }).click();
        await page.getByText("This approval has been decided.").waitFor();
      });
      expect((await world.run(firm, run.id)).approval?.decision).toBe("reject");
    },
  );

  walk("a developer creates a key, whose secret opens the API and disappears when the page is left", async () => {
    const owner = await somebody("owner");
    await visit(owner, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, owner, "developers");
      await page.getByRole("button", { name: "New key" }).click();
      const dialog = page.getByRole("dialog", { name: "New key" });
      await dialog.getByLabel("Name").fill("Back office");
      await dialog.getByRole("button", { name: "Start and read runs" }).click();
      await look(page, "console-new-key-wide-light");
      await dialog.getByRole("button", { name: "Create" }).click();
      const shown = page.getByRole("region", { name: "Back office" });
      const secret = (await shown.textContent()) ?? "";
      expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
      await look(page, "console-secret-wide-light");
      await page.getByRole("link", { name: "Usage" }).click();
      await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Developers" }).click();
      await page.getByRole("cell", { name: /^Back office/ }).waitFor();
      expect(await page.getByText(secret).count()).toBe(0);
      await page.getByRole("button", { name: "Revoke Back office" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("cell", { name: /^Back office/ }).waitFor({ state: "detached" });
      expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
    });
  });

  walk(
    "a new key needs a scope, disappears from the page when it is revoked, and in Czech no two buttons are alike",
    async () => {
      const owner = await somebody("owner");
      await visit(owner, { size: "phone", scheme: "light", locale: "cs" }, async (page) => {
        await enter(page, owner, "developers");
        await page.getByRole("button", { name: "Nový klíč" }).click();
        const form = page.getByRole("dialog", { name: "Nový klíč" });
        await form.getByLabel("Název").fill("Jednou");
        await form.getByRole("button", { name: "Vytvořit" }).click();
        await form.getByText("Vyberte aspoň jedno oprávnění.").waitFor();
        await form.getByLabel(/^Spouštět schopnosti, což může stát kredity/).check();
        await look(page, "console-new-key-phone-light-cs");
        await form.getByRole("button", { name: "Vytvořit" }).click();
        const secret = page.getByRole("region", { name: "Jednou" });
        await secret.waitFor();
        await page.getByRole("button", { name: "Zneplatnit Jednou" }).click();
        const dialog = page.getByRole("dialog", { name: "Zneplatnit Jednou?" });
        const labels = await dialog.locator("button:not([aria-label])").allTextContents();
        expect(labels).toEqual(["Zpět", "Zneplatnit"]);
        await look(page, "console-revoke-phone-light-cs");
        await dialog.getByRole("button", { name: "Zneplatnit" }).click();
        await secret.waitFor({ state: "detached" });
      });
    },
  );

  walk("an owner invites a person by a link, changes a person's role and removes the person, on a phone", async () => {
    const of = await world.firm();
    const [owner, member] = [await somebody("owner", { of }), await somebody("member", { of })];
    await visit(owner, { size: "phone", scheme: "dark" }, async (page) => {
      await enter(page, owner, "team");
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByRole("dialog").getByLabel("E-mail address").fill("guest@people.test");
      await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
      await page.getByText("Pass on this link").waitFor();
      await page.getByRole("cell", { name: "guest@people.test", exact: true }).waitFor();
      await standsInTheWindow(page, page.getByRole("button", { name: "Copy" }));
      await settled(page);
      await look(page, "console-team-phone-dark");
      const role = page.getByRole("combobox", { name: `Role of ${member.email}` });
      const remove = page.getByRole("button", { name: `Remove ${member.email}` });
      for (const control of [role, remove]) await standsInTheWindow(page, control);
      await role.click();
      await page.getByRole("option", { name: "approver" }).click();
      await page.getByText("Role changed").waitFor();
      await becomes(() => role.inputValue(), "approver");
      await remove.click();
      await page.getByRole("dialog").waitFor();
      await look(page, "console-team-remove-phone-dark");
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await remove.waitFor({ state: "detached" });
    });
    const invited = await unscoped(world.store.read).selectFrom("invitations").select(["email", "role"]).execute();
    expect(invited).toEqual([{ email: "guest@people.test", role: "member" }]);
    const stay = unscoped(world.store.read).selectFrom("members").select("user_id").where("firm_id", "=", of.id);
    expect(await stay.where("user_id", "=", of.people.member.id).execute()).toEqual([]);
  });

  walk("an operator's credits reach the firm once, even if the response is lost", async () => {
    const operator = await somebody("admin", { operator: true });
    const of = await world.firm();
    const path = `/v1/operator/firms/${of.id}/credits`;
    const context = await contextOf(browser, { locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    await enter(page, operator, `admin/firms/${of.id}`);
    await page.getByLabel("Credits").fill("700");
    await page.getByLabel("Reason").fill("A pilot");
    const before = await entriesOf(of);
    await page.route(
      `**${path}`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Change credits" }).click();
    await page.getByText("The server can't be reached.").waitFor();
    expect(await entriesOf(of)).toBe(before + 1);
    await page.getByRole("button", { name: "Change credits" }).click();
    await page.getByText("Credits changed").waitFor();
    expect(await entriesOf(of)).toBe(before + 1);
    await page.getByLabel("Credits").fill("700");
    await page.getByLabel("Reason").fill("A pilot");
    await page.getByRole("button", { name: "Change credits" }).click();
    await becomes(() => entriesOf(of), before + 2);
    await context.close();
  });

  walk("an operator grants a firm permissions and sets limits, on a phone", async () => {
    const operator = await somebody("admin", { operator: true });
    const of = await world.firm();
    const limits = () =>
      unscoped(world.store.read).selectFrom("quotas").select("monthly_runs").where("firm_id", "=", of.id).execute();
    await visit(operator, { size: "phone", scheme: "dark" }, async (page) => {
      await enter(page, operator, `admin/firms/${of.id}`);
      const switched = (checked: boolean) => page.getByRole("switch", { name: "enterprise", checked, disabled: false });
      const isHeld = (await switched(true).count()) === 1;
      for (const held of [!isHeld, isHeld]) {
        await switched(!held).press("Space");
        await switched(held).waitFor();
      }
      await page.getByRole("combobox", { name: "Applies to" }).click();
      await look(page, "console-admin-limitable-phone-dark");
      await page.getByRole("option").first().click();
      await page.getByRole("textbox", { name: "Limit", exact: true }).fill("3");
      await page.getByRole("button", { name: "Set limit" }).click();
      const lift = page.getByRole("button", { name: "Remove", exact: true });
      await lift.waitFor();
      expect(await limits()).toEqual([{ monthly_runs: 3 }]);
      await standsInTheWindow(page, lift);
      await look(page, "console-admin-limit-phone-dark");
      await lift.click();
      await page.getByText("No limits set").waitFor();
      expect(await limits()).toEqual([]);
    });
  });

  walk("an owner revokes another person's key, on a phone", async () => {
    const of = await world.firm();
    const owner = await somebody("owner", { of });
    const { secret } = await world.key(of, ["runs:read"], { user: of.people.member.id });
    const status = async () => (await world.ask("/v1/runs", { as: secret })).status;
    expect(await status()).toBe(200);
    await visit(owner, { size: "phone", scheme: "light" }, async (page) => {
      await enter(page, owner, "team");
      const revoke = page.getByRole("button", { name: "Revoke further" });
      await standsInTheWindow(page, revoke);
      await revoke.click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await revoke.waitFor({ state: "detached" });
    });
    expect(await status()).toBe(401);
  });

  walk("an operator closes and opens a gate, and no one else sees the installation", async () => {
    const operator = await somebody("admin", { operator: true });
    await visit(operator, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, operator, "admin/gates");
      // It is open at first. Operated by keyboard, because the drawing of a switch covers it.
      const gate = (checked: boolean) => page.getByRole("switch", { name: "Open triage", checked, disabled: false });
      for (const open of [false, true]) {
        await gate(!open).press("Space");
        await gate(open).waitFor();
      }
      for (const path of ["gates", "firms", "audit", `firms/${firm.id}`]) {
        await page.goto(`${operator.base}/console/admin/${path}`);
        await settled(page);
        await look(page, `console-admin-${path.replaceAll("/", "-").slice(0, 8)}-wide-light`);
      }
      await page.getByRole("heading", { name: "Entitlements" }).waitFor();
      await page.goto(`${operator.base}/console/admin/audit`);
      await page.getByRole("button", { name: "Verify the chain" }).click();
      await page.getByText(/^Intact: /).waitFor();
    });
    const member = await somebody("member");
    await visit(member, { size: "wide", scheme: "light" }, async (page) => {
      await enter(page, member, "admin/gates");
      await page.getByText("You don't have access to this").waitFor();
      await page.getByText("No role in a firm includes it.").waitFor();
    });
  });
});
