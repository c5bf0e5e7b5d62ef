import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { unscoped } from "../../db/tenancy.ts";
import { hour, minute, second as second_ms } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";
import { freshEmail, goodPassword, isLetIn, newcomer, refresh, sessionIn, signIn } from "../support/people.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const notLetIn: [number, string] = [401, "invalid_credentials"];
/** Rate limits count per minute, so each test starts in a new one. */
const laterOn = () => world.clock.advance(minute);

describe("a refresh token", () => {
  test("is exchanged for the next one, and an access token of the same session", async () => {
    const first = await newcomer(world);
    const second = await sessionIn(refresh(world, first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.user.id).toBe(first.user.id);
    expect(await isLetIn(world, second.access_token)).toBe(true);
  });

  test("may be reused until its successor is used, as the response may have been lost", async () => {
    const { refresh_token } = await newcomer(world);
    await sessionIn(refresh(world, refresh_token));
    world.clock.advance(hour);
    const again = await sessionIn(refresh(world, refresh_token));
    expect((await refresh(world, again.refresh_token)).status).toBe(200);
  });

  test("may be reused within ten seconds of its successor's first use, for parallel tabs", async () => {
    const { refresh_token } = await newcomer(world);
    const next = await sessionIn(refresh(world, refresh_token));
    await sessionIn(refresh(world, next.refresh_token));
    world.clock.advance(10 * second_ms);
    expect((await refresh(world, refresh_token)).status).toBe(200);
  });

  test("used later than that ends its session with all of its tokens", async () => {
    const first = await newcomer(world);
    const next = await sessionIn(refresh(world, first.refresh_token));
    const last = await sessionIn(refresh(world, next.refresh_token));
    world.clock.advance(10 * second_ms + 1);
    expect(await isLetIn(world, last.access_token)).toBe(true);
    expect(await refusal(await refresh(world, first.refresh_token))).toEqual(notLetIn);
    expect(await refusal(await refresh(world, last.refresh_token))).toEqual(notLetIn);
    expect(await isLetIn(world, last.access_token)).toBe(false);
  });

  test("used by a thief and its owner ends the session, whichever is first", async () => {
    for (const isThiefFirst of [true, false]) {
      const { refresh_token } = await newcomer(world);
      const branches = [await sessionIn(refresh(world, refresh_token)), await sessionIn(refresh(world, refresh_token))];
      const [first, second] = isThiefFirst ? branches : branches.reverse();
      const held = await sessionIn(refresh(world, first?.refresh_token ?? ""));
      world.clock.advance(10 * second_ms + 1);
      expect(await refusal(await refresh(world, second?.refresh_token ?? ""))).toEqual(notLetIn);
      expect(await refusal(await refresh(world, held.refresh_token))).toEqual(notLetIn);
      expect(await isLetIn(world, held.access_token)).toBe(false);
    }
  });

  test("of a branch started within ten seconds is detected as theft one exchange later", async () => {
    const { refresh_token } = await newcomer(world);
    let [one, two] = [await sessionIn(refresh(world, refresh_token)), await sessionIn(refresh(world, refresh_token))];
    one = await sessionIn(refresh(world, one.refresh_token));
    world.clock.advance(5 * second_ms);
    two = await sessionIn(refresh(world, two.refresh_token));
    one = await sessionIn(refresh(world, one.refresh_token));
    world.clock.advance(minute);
    expect(await refusal(await refresh(world, two.refresh_token))).toEqual(notLetIn);
    expect(await refusal(await refresh(world, one.refresh_token))).toEqual(notLetIn);
  });

  test("that was never used is theft once others of its session have continued without it", async () => {
    const { refresh_token } = await newcomer(world);
    const stolen = await sessionIn(refresh(world, refresh_token));
    let kept = await sessionIn(refresh(world, refresh_token));
    for (let day = 0; day < 40; day++) {
      world.clock.advance(24 * hour);
      kept = await sessionIn(refresh(world, kept.refresh_token));
    }
    expect(await refusal(await refresh(world, stolen.refresh_token))).toEqual(notLetIn);
    expect(await isLetIn(world, kept.access_token)).toBe(false);
  });

  test("expires after thirty days without use", async () => {
    const { refresh_token } = await newcomer(world);
    world.clock.advance(30 * 24 * hour + 1);
    expect(await refusal(await refresh(world, refresh_token))).toEqual(notLetIn);
  });

  test("exchanged long ago is deleted, so that an active session does not grow", async () => {
    await using apart = await World.open();
    const first = await newcomer(apart);
    let { refresh_token } = first;
    for (let day = 0; day < 40; day++) {
      apart.clock.advance(24 * hour);
      ({ refresh_token } = await sessionIn(refresh(apart, refresh_token)));
    }
    const kept = await unscoped(apart.store.read).selectFrom("refresh_tokens").selectAll().execute();
    expect(kept.length).toBeLessThan(35);
    expect(await refusal(await refresh(apart, first.refresh_token))).toEqual(notLetIn);
    expect((await refresh(apart, refresh_token)).status).toBe(200);
  });

  test("is stored nowhere in clear text, and neither is a password", async () => {
    const { refresh_token } = await newcomer(world);
    await world.store.write(async () => undefined);
    const folder = world.store.file.replace(/[^/]+$/, "");
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(folder + name);
      expect(bytes.includes(refresh_token)).toBe(false);
      expect(bytes.includes(goodPassword)).toBe(false);
    }
  });
});

describe("signing out", () => {
  test("with the refresh token or the access token ends the session immediately, and may be repeated", async () => {
    const ways = [
      (s: { refresh_token: string }) => ({ body: { refresh_token: s.refresh_token } }),
      (s: { access_token: string }) => ({ method: "POST", as: s.access_token }),
    ];
    for (const way of ways) {
      const session = await newcomer(world);
      expect(await isLetIn(world, session.access_token)).toBe(true);
      for (let n = 0; n < 2; n++) expect((await world.ask("/auth/v1/logout", way(session))).status).toBe(204);
      expect(await isLetIn(world, session.access_token)).toBe(false);
      expect(await refusal(await refresh(world, session.refresh_token))).toEqual(notLetIn);
    }
  });

  test("without stating the scope is refused", async () => {
    expect(await refusal(await world.ask("/auth/v1/logout", { method: "POST" }))).toEqual([422, "validation_error"]);
  });

  test("of another session works from the list of sessions", async () => {
    laterOn();
    const email = freshEmail();
    const one = await newcomer(world, email);
    const two = await sessionIn(signIn(world, email));
    const list = async () => {
      const answer = await world.ask("/auth/v1/sessions", { as: two.access_token });
      return (await answer.json()) as { items: { id: string; current: boolean }[] };
    };
    const { items } = await list();
    expect(items.map(({ current }) => current)).toEqual([true, false]);
    const path = `/auth/v1/sessions/${items[1]?.id}`;
    const stranger = await newcomer(world);
    const theft = await world.ask(path, { method: "DELETE", as: stranger.access_token });
    expect(await refusal(theft)).toEqual([404, "not_found"]);
    expect((await world.ask(path, { method: "DELETE", as: two.access_token })).status).toBe(204);
    expect(await isLetIn(world, one.access_token)).toBe(false);
    expect((await list()).items).toHaveLength(1);
  });
});
