import { expect, test } from "bun:test";
import { settingsPage, settingsText } from "../../tools/docs/settings.ts";

test("the reference of settings is that of today's schema", async () => {
  expect(await Bun.file(settingsPage).text(), "run `bun run docs:settings`").toBe(settingsText());
});

test("each setting says in words what it takes", () => {
  const rows = settingsText().match(/^\| `\w+` \|.+$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => !/\| [^|]{10,} \|$/.test(row))).toEqual([]);
});
