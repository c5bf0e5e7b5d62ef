import { afterAll, beforeAll, expect, test } from "bun:test";
import { World } from "../support/harness.ts";

/** What an open list answers to those who hold it already. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const path = "/v1/capabilities";
const tagOf = async (address = path): Promise<string> => (await world.ask(address)).headers.get("etag") ?? "";

test("who holds the list is told so, with an id and without a body, until a gate changes it", async () => {
  const etag = await tagOf();
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = await world.ask(path, { headers: { "if-none-match": held } });
    expect([held, answer.status, await answer.text()]).toEqual([held, 304, ""]);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  await world.closeGate("echo");
  const changed = await world.ask(path, { headers: { "if-none-match": etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
});

test("another address is another answer: a filter, a parameter that is none, a slash, another method", async () => {
  const etag = await tagOf();
  const headers = { "if-none-match": etag };
  const statusOf = async (address: string, method?: string) =>
    (await world.ask(address, { headers, ...(method && { method }) })).status;
  expect(await statusOf(`${path}?q=nothing-like-it`)).toBe(200);
  expect(await statusOf(`${path}?unknown=1`)).toBe(422);
  expect(await statusOf(`${path}/unheard-of`)).toBe(404);
  expect(await statusOf(path, "POST")).toBe(405);
  expect(await statusOf(path, "HEAD")).toBe(304);
  const filtered = await tagOf(`${path}?q=nothing-like-it`);
  expect((await world.ask(path, { headers: { "if-none-match": filtered } })).status).toBe(200);
});
