import { describe, expect, test } from "bun:test";
import { errorIn, type Firm, World } from "../support/harness.ts";

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}

/** The paginated lists, and how to read the page from each response. */
const lists: Readonly<Record<string, (body: unknown) => Page>> = {
  "/v1/runs": (body) => body as Page,
  "/v1/saved-configurations": (body) => body as Page,
  "/v1/credits": (body) => (body as { entries: Page }).entries,
};

async function filled(world: World): Promise<Firm> {
  const firm = await world.firm();
  for (let i = 0; i < 5; i++) {
    await world.settled(firm);
    const body = { name: `saved ${i}`, capability: "echo", input: { text: "hello" } };
    await world.ask("/v1/saved-configurations", { as: firm.key, body });
  }
  return firm;
}

describe("a cursor", () => {
  test("leads through the whole list, each item once", async () => {
    await using world = await World.open();
    const firm = await filled(world);
    for (const [path, pageIn] of Object.entries(lists)) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const page: Page = pageIn(await (await world.ask(`${path}?limit=2${more}`, { as: firm.key })).json());
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      const whole = pageIn(await (await world.ask(`${path}?limit=100`, { as: firm.key })).json());
      expect([path, seen]).toEqual([path, whole.items.map(({ id }) => id)]);
      expect(seen.length).toBeGreaterThanOrEqual(5);
    }
  });

  test("continues from a page that ends early because its items are large", async () => {
    await using world = await World.open(undefined, { bodyLimit: 1_048_576 });
    const firm = await world.firm();
    const made: string[] = [];
    const input = { text: "hello", note: "x".repeat(400_000) };
    for (let i = 0; i < 5; i++) {
      const body = { name: `saved ${i}`, capability: "echo", input };
      const saved = await world.ask("/v1/saved-configurations", { as: firm.key, body });
      made.unshift(((await saved.json()) as { id: string }).id);
      await world.settled(firm, { input });
    }
    const pagesOf = async (path: string): Promise<Page[]> => {
      const pages: Page[] = [];
      for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null) {
        const answer = await world.ask(`${path}?limit=100${cursor && `&cursor=${cursor}`}`, { as: firm.key });
        pages.push((await answer.json()) as Page);
      }
      return pages;
    };
    const saved = await pagesOf("/v1/saved-configurations");
    expect(saved.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(saved.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(made);
    const runs = await pagesOf("/v1/runs");
    expect(runs.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  });

  test("reveals no position: two firms' cursors have the same length and contain no count", async () => {
    await using world = await World.open();
    const one = await filled(world);
    const cursorOf = async (firm: Firm, path: string, pageIn: (body: unknown) => Page) =>
      pageIn(await (await world.ask(`${path}?limit=1`, { as: firm.key })).json()).next_cursor ?? "";
    const lengths = new Set<number>();
    for (const [path, pageIn] of Object.entries(lists)) {
      const cursor = await cursorOf(one, path, pageIn);
      lengths.add(cursor.length);
      expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toMatch(/\d{2,}\s|[0-9a-f]{8}-/);
      expect(await cursorOf(one, path, pageIn)).not.toBe(cursor);
    }
    expect(lengths.size).toBe(1);
  });

  test("of an earlier release, of another list or invalid is 422 and says how to continue", async () => {
    await using world = await World.open();
    const firm = await filled(world);
    const first = (await (await world.ask("/v1/runs?limit=1", { as: firm.key })).json()) as Page;
    const earlier = Buffer.from("108").toString("base64url");
    for (const path of Object.keys(lists))
      for (const cursor of [earlier, "nonsense", "%00", path === "/v1/runs" ? "" : (first.next_cursor ?? "")]) {
        const answer = await world.ask(`${path}?cursor=${cursor}`, { as: firm.key });
        expect([path, cursor, answer.status]).toEqual([path, cursor, 422]);
        const { details } = await errorIn(answer);
        expect(details).toEqual([
          { path: "/query/cursor", message: "must be a next_cursor of this list; omit it to start from the beginning" },
        ]);
      }
  });
});
