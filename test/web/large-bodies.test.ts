import { describe, expect, test } from "bun:test";
import { Type as T } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/compiler";
import { beyondBounds } from "../../src/platform/json-bounds.ts";
import { closed } from "../../src/platform/schema.ts";
import { detailsOf, problems } from "../../src/platform/validate.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { openBodyLimit } from "../../src/web/edge.ts";
import { BodyTurns, readJson } from "../../src/web/json-body.ts";
import { freshKey, until, World } from "../support/harness.ts";

/** The cost of a body that is refused. */

/** Returns a list that counts how many of its items are read. */
function watched(length: number) {
  let looked = 0;
  const list = new Proxy(
    Array.from({ length }, () => 1),
    {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) looked++;
        return Reflect.get(target, name, receiver);
      },
    },
  );
  return { list, looked: () => looked };
}

const schema = closed({
  note: T.Optional(T.String({ maxLength: 3 })),
  items: T.Array(T.Integer(), { maxItems: 5 }),
  rest: T.Optional(T.Array(T.Integer(), { maxItems: 5 })),
});

describe("validation stops at the first exceeded limit", () => {
  test("and reads none of half a million items if five are allowed", () => {
    const { list, looked } = watched(500_000);
    expect(problems(schema, { items: list }, "")).toEqual([{ path: "/items", message: "must have at most 5 items" }]);
    expect(looked()).toBe(0);
  });

  test("and reads nothing after it", () => {
    const { list, looked } = watched(10);
    const details = problems(schema, { items: [1, 2, 3, 4, 5, 6], rest: list }, "");
    expect(details.map(({ path }) => path)).toEqual(["/items"]);
    expect(looked()).toBe(0);
  });

  test("and reports at most two hundred errors", () => {
    let looked = 0;
    function* endless(): Generator<ValueError> {
      for (;;) {
        looked++;
        yield {
          path: "k".repeat(300),
          type: ValueErrorType.String,
          schema: T.String(),
          value: 1,
          message: "",
          errors: [],
        };
      }
    }
    expect(detailsOf(endless(), "/body")).toHaveLength(1);
    expect(looked).toBe(200);
  });

  test("but reports every problem within the limits", () => {
    const details = problems(schema, { note: 1, items: ["a", "b"] }, "");
    expect(details.map(({ path }) => path).sort()).toEqual(["/items/0", "/items/1", "/note"]);
  });
});

describe("nesting and values are counted in the text before it is parsed", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  test.each([
    [deep(100), false],
    [deep(101), true],
    [`{"a":${deep(99)}}`, false],
    [`{"a":${deep(100)}}`, true],
    [JSON.stringify("[".repeat(1_000)), false],
    [JSON.stringify({ '"[\\"': "\\\\", b: `\\"${"{".repeat(500)}` }), false],
    [`[${"[],".repeat(1_000)}[]]`, false],
    ['{"a":"', false],
    [`"\\"${"[".repeat(200)}`, false],
    [`"\\\\"${"[".repeat(101)}`, true],
    [`[${"1,".repeat(49_999)}1]`, false],
    [`[${"1,".repeat(50_000)}1]`, true],
    [JSON.stringify(",".repeat(100_000)), false],
  ])("%#", (text, expected) => {
    expect(beyondBounds(text) !== undefined).toBe(expected);
  });
});

describe("large bodies", () => {
  const post = (text: string) =>
    new Request("http://assay.test/", { method: "POST", body: text, headers: { "content-type": "application/json" } });

  test("are parsed one per turn of the event loop, small ones immediately", async () => {
    const waiting: (() => void)[] = [];
    const turns = new BodyTurns({ nextTurn: () => new Promise((resolve) => waiting.push(resolve)) });
    const parsed: number[] = [];
    const large = JSON.stringify("x".repeat(70_000));
    const read = [1, 2].map((n) => readJson(post(large), turns).then(() => parsed.push(n)));
    expect(await readJson(post("{}"), turns)).toEqual({});
    for (const [at, all] of [[1], [1, 2]].entries()) {
      await until(() => waiting.length === 2 * at + 1, "the next body waits for its turn");
      waiting.at(-1)?.();
      await until(() => waiting.length === 2 * at + 2, "what is made of it waits for the one after");
      expect(parsed).toHaveLength(at);
      waiting.at(-1)?.();
      await read[at];
      expect(parsed).toEqual(all);
    }
  });

  test("are refused if no credential is needed, except for a quote", async () => {
    await using world = await World.open(undefined, { capabilities, useCases, stepEngines: {}, bodyLimit: 1_048_576 });
    const firm = await world.firm();
    const body = JSON.stringify({ input: { candidate_markets: Array<number>(100_000).fill(1) } });
    expect(body.length).toBeGreaterThan(openBodyLimit);
    const statusOf = async (path: string, headers: Record<string, string> = {}) => {
      const given = { "content-type": "application/json", "content-length": String(body.length), ...headers };
      const request = new Request(`http://assay.test${path}`, { method: "POST", body, headers: given });
      return (await world.app.fetch(request)).status;
    };
    expect(await statusOf("/auth/v1/recover")).toBe(413);
    expect(await statusOf("/oauth/token")).toBe(413);
    expect(await statusOf("/v1/use-cases/european-market-entry-pack/quote")).toBe(422);
    const own = { authorization: `Bearer ${firm.key}`, "idempotency-key": freshKey() };
    expect(await statusOf("/v1/capabilities/exa-filter/runs", own)).toBe(422);
  });
});
