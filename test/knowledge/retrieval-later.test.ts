import { expect, test } from "bun:test";
import { Library } from "../support/library.ts";

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ["Tariff", `Trade ${at}: premium ${at}.`] as const);

test("later documents are searched once per passage, and found among thousands", async () => {
  const library = await Library.open(
    { facts: { id: "old", valid_from: "2025-01-01" }, passages: [["2.2", "The bicycle is kept in a locked room."]] },
    {
      facts: { id: "tariff", valid_from: "2026-01-01" },
      passages: [...rows(1_234), ["End", "Clause 2.2 is deleted."]],
    },
    {
      facts: { id: "other", carrier: "Another", valid_from: "2026-01-01" },
      passages: [["", "Clause 2.2 is deleted."]],
    },
  );
  const corpus = library.corpus();
  await corpus.refresh();
  const than = (await corpus.documents()).filter(({ id }) => id === "old");
  let looked = 0;
  const wanted = (text: string): boolean => {
    looked++;
    return text.includes("deleted");
  };
  const asked = async () =>
    (await corpus.later({ than, at: new Date("2026-06-01"), wanted })).map(({ document, chunk }) => [
      document.id,
      chunk.ordinal,
    ]);
  for (let i = 0; i < 2; i++) expect(await asked()).toEqual([["tariff", 1_234]]);
  expect(looked).toBe(1_235);

  await library.add({ facts: { id: "newest", valid_from: "2026-02-01" }, passages: [["", "Clause 4 is deleted."]] });
  await corpus.refresh();
  expect(await asked()).toEqual([
    ["newest", 0],
    ["tariff", 1_234],
  ]);
  expect(looked).toBe(1_236);
});
