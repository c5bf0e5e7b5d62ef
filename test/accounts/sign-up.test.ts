import { afterAll, describe, expect, test } from "bun:test";
import { membershipsOf } from "../../db/queries/firms.ts";
import { createInvitation } from "../../src/accounts/admin/invitations.ts";
import { removeMember } from "../../src/accounts/admin/members.ts";
import { createExternalPeople } from "../../src/accounts/auth/external-people.ts";
import type { SignUpMode } from "../../src/accounts/auth/sign-up.ts";
import { present } from "../../src/platform/assert.ts";
import { errorIn, World } from "../support/harness.ts";
import { freshEmail, sessionIn, signIn, signUp } from "../support/people.ts";

async function opened(mode: SignUpMode | undefined) {
  const world = await World.open(undefined, { signUp: mode });
  const firm = await world.firm();
  return {
    world,
    async invited(email: string): Promise<string> {
      const act = { actor: "operator", at: world.clock.now(), runtime: world.clock };
      const given = { firm_id: firm.id, email, role: "member" as const };
      return (await world.store.write((tx) => createInvitation(tx, act, given))).secret;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const modes = { open: await opened("open"), invited: await opened("invited"), off: await opened("off") };
const unset = await opened(undefined);
afterAll(async () => {
  for (const one of [...Object.values(modes), unset]) await one[Symbol.asyncDispose]();
});

describe("an account is created", () => {
  test("for anyone if sign-up is open", async () => {
    await sessionIn(signUp(modes.open.world, { email: freshEmail() }));
    const email = freshEmail();
    await sessionIn(signUp(modes.open.world, { email, invite: await modes.open.invited(email) }));
  });

  test.each([["invited", modes.invited] as const, ["not set", unset] as const])(
    "only with an invitation if it is %s",
    async (_, { world, invited }) => {
      const email = freshEmail();
      const refused = await signUp(world, { email });
      expect([refused.status, (await errorIn(refused)).details?.map(({ path }) => path)]).toEqual([
        422,
        ["/body/invite"],
      ]);
      const { user } = await sessionIn(signUp(world, { email, invite: await invited(email) }));
      expect(user.email_confirmed_at).not.toBeNull();
      const other = await signUp(world, { email: freshEmail(), invite: await invited(freshEmail()) });
      expect(other.status).toBe(422);
    },
  );

  test("for no one if it is off, invited or not", async () => {
    const email = freshEmail();
    const invite = await modes.off.invited(email);
    for (const given of [{ email }, { email, invite }]) {
      const refused = await signUp(modes.off.world, given);
      expect([refused.status, (await errorIn(refused)).details?.[0]?.message]).toEqual([
        422,
        expect.stringContaining("Ask the operator"),
      ]);
    }
  });
});

test("a new person from an OpenID provider joins the inviting firm or is refused, by the same rule", async () => {
  const { world, invited } = modes.invited;
  const { store, runtime } = world.app.parts;
  const email = freshEmail();
  const person = { issuer: "https://idp.test", subject: "newcomer", verified_email: email, full_name: null };
  const people = (mode: SignUpMode) => createExternalPeople(store, runtime, mode);
  for (const mode of ["off", "invited"] as const)
    await expect(people(mode).resolve(person, "en")).rejects.toMatchObject({ code: "invalid_credentials" });
  await invited(email);
  await expect(people("off").resolve(person, "en")).rejects.toMatchObject({ code: "invalid_credentials" });
  const id = await people("invited").resolve(person, "en");
  expect(await membershipsOf.all(world.store.read, { user_id: id })).toMatchObject([{ role: "member" }]);
  expect(await people("off").resolve(person, "en")).toBe(id);
});

describe("a removed person", () => {
  const { world, invited } = modes.invited;
  const act = () => ({ actor: "operator", at: world.clock.now(), runtime: world.clock });

  /** Returns a person who signed up with an invitation and was removed. */
  async function former(): Promise<{ readonly email: string; readonly id: string }> {
    const email = freshEmail();
    const { user } = await sessionIn(signUp(world, { email, invite: await invited(email) }));
    const [member] = await membershipsOf.all(world.store.read, { user_id: user.id });
    await world.store.write((tx) => removeMember(tx, act(), present(member, "the membership").firm_id, user.id));
    return { email, id: user.id };
  }
  /** Returns a link of a firm's invitation, as passed on by hand. */
  const handedOver = async (email: string): Promise<string> => {
    const { id: firm_id, people } = await world.firm();
    const given = { firm_id, email, role: "member", invited_by: people.owner.id, isHandedOver: true } as const;
    return (await world.store.write((tx) => createInvitation(tx, act(), given))).secret;
  };

  test("is told so when signing in with the password, and no one else is", async () => {
    const { email } = await former();
    const refused = await signIn(world, email);
    expect([refused.status, (await errorIn(refused)).details?.[0]?.message]).toEqual([
      422,
      expect.stringContaining("invite you again"),
    ]);
    expect((await signIn(world, email, "Ein anderes Kennwort 7")).status).toBe(401);
  });

  test("returns to the same account through an invitation by email, with a new password", async () => {
    const { email, id } = await former();
    const password = "Ein neues Kennwort 7";
    const { user } = await sessionIn(signUp(world, { email, password, invite: await invited(email) }));
    expect(user.id).toBe(id);
    expect(await membershipsOf.all(world.store.read, { user_id: id })).toMatchObject([{ role: "member" }]);
    expect((await signIn(world, email)).status).toBe(401);
    expect((await signIn(world, email, password)).status).toBe(200);
  });

  test("returns through a link passed on by hand with the password, and a stranger does not", async () => {
    const { email, id } = await former();
    const invite = await handedOver(email);
    const stranger = await signUp(world, { email, invite, password: "Ein anderes Kennwort 7" });
    expect([stranger.status, (await errorIn(stranger)).details?.[0]?.path]).toEqual([422, "/body/password"]);
    expect(await membershipsOf.all(world.store.read, { user_id: id })).toEqual([]);
    expect((await sessionIn(signUp(world, { email, invite }))).user.id).toBe(id);
  });

  test("returns from an OpenID provider once invited, even if the provider was linked", async () => {
    const { email, id } = await former();
    const { store, runtime } = world.app.parts;
    const people = createExternalPeople(store, runtime, "invited");
    const person = { issuer: "https://idp.test", subject: email, verified_email: email, full_name: null };
    await expect(people.resolve(person, "en")).rejects.toMatchObject({ code: "invalid_credentials" });
    for (const _ of ["a first time", "a second time"]) {
      await invited(email);
      expect(await people.resolve(person, "en")).toBe(id);
      const [member] = await membershipsOf.all(world.store.read, { user_id: id });
      await store.write((tx) => removeMember(tx, act(), present(member, "the membership").firm_id, id));
    }
  });
});

describe("the pages", () => {
  const has = async (mode: keyof typeof modes, path: string, text: string) =>
    (await (await modes[mode].world.ask(path)).text()).includes(text);

  test("link to the form only if it would accept the person", async () => {
    const form = 'data-form="sign-up"';
    expect([await has("open", "/sign-in", "sign-up"), await has("open", "/sign-up", form)]).toEqual([true, true]);
    expect(await has("invited", "/sign-in", 'href="sign-up')).toBe(false);
    expect(await has("invited", "/sign-up", form)).toBe(false);
    expect(await has("invited", "/sign-up", "by invitation")).toBe(true);
    expect(await has("invited", "/sign-up?invite=x", form)).toBe(true);
    expect(await has("off", "/sign-up?invite=x", form)).toBe(false);
  });
});
