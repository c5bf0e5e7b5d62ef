import { expect, test } from "bun:test";
import { settingsPage, settingsText } from "../../tools/docs/settings.ts";

test("the settings reference matches the current schema", async () => {
  expect(await Bun.file(settingsPage).text(), "run `bun run docs:settings`").toBe(settingsText());
});

test("each setting describes the values that it accepts", () => {
  const rows = settingsText().match(/^\| `\w+` \|.+$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => !/\| [^|]{10,} \|$/.test(row))).toEqual([]);
});
