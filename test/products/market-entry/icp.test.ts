import { describe, expect, test } from "bun:test";
import { voiceIn } from "../../../src/products/documents/voice.ts";
import { readIcp } from "../../../src/products/market-entry/icp.ts";
import type { TargetsOutput } from "../../../src/products/market-entry/schema.ts";
import {
  packFirm,
  packInput,
  packServices,
  packWorld,
  restingPack,
  restingRun,
  universe,
} from "../../support/pack-world.ts";
import { sendDecision } from "../../support/shortlist.ts";

const cities = ["München", "Köln", "Münster", "Nürnberg", "Dresden", "Berlin", "Frankfurt am Main", "Erfurt", "Essen"];
const read = (icp: string) => {
  const { demands, unread, elsewhere } = readIcp(icp, cities);
  return [demands.map(({ read_as }) => read_as), unread, elsewhere];
};
const broker = "sector: broker";

/** An ICP, its conditions as parsed, the parts reported as not understood, and places without rows. */
type Case = readonly [
  icp: string,
  read_as: readonly string[],
  unread?: readonly string[],
  elsewhere?: readonly string[],
];

const numbers: readonly Case[] = [
  ["Insurance brokers with 50 persons", [broker, "persons: 50"]],
  ["brokers, 5–50 people, founded after 2010", [broker, "persons: 5 to 50", "founded: at least 2011"]],
  ["brokers with 50+ employees", [broker, "persons: at least 50"]],
  ["no more than 10 employees, insurance brokers", [broker, "persons: at most 10"]],
  ["brokers with more than 5 and fewer than 50 employees", [broker, "persons: 6 to 49"]],
  ["brokers with about 50 employees", [broker, "persons: 40 to 60"]],
  ["brokers with a team of 12, est. 1975", [broker, "persons: 12", "founded: 1975"]],
  ["Makler, max. 50 Mitarbeiter, gegr. 1990", [broker, "persons: at most 50", "founded: 1990"]],
  ["Makler mit höchstens zwölf Mitarbeitern", [broker, "persons: at most 12"]],
  ["nach 2000 gegründete Makler", [broker, "founded: at least 2001"]],
  ["Im Jahr 1995 gegründete Makler", [broker, "founded: 1995"]],
  ["makléři s 5 až 50 zaměstnanci, založení po roce 2000", [broker, "persons: 5 to 50", "founded: at least 2001"]],
  ["počet zaměstnanců 5-50, makléři", [broker, "persons: 5 to 50"]],
  ["makléri, od 5 do 20 zamestnancov, založení pred rokom 1995", [broker, "persons: 5 to 20", "founded: at most 1994"]],
  ["Insurance brokers founded 1850", [broker, "founded: 1850"]],
  ["brokers founded in the 1990s", [broker, "founded: 1990 to 1999"]],
  ["brokers with no firms over 100 employees", [broker, "not: persons: at least 101"]],
  ["Brokers not founded before 1990", [broker, "not: founded: at most 1989"]],
  ["brokers with 1,000 employees", [broker, "persons: 1000"]],
];

const places: readonly Case[] = [
  ["insurance brokers in münster", [broker, "place: munster"]],
  ["Versicherungsmakler in Muenster", [broker, "place: munster"]],
  ["Kölner Makler", [broker, "place: koln"]],
  ["makléři v Mnichově nebo v Norimberku", [broker, "place: munchen or nurnberg"]],
  ["makléři v Erfurtu a v Drážďanech", [broker, "place: erfurt or dresden"]],
  ["brokers in Frankfurt", [broker, "place: frankfurt am main"]],
  ["Makler im Raum Nürnberg", [broker, "place: nurnberg"]],
  ["Makler, nicht in Berlin", [broker, "not: place: DE-BE or berlin"]],
  ["Insurance brokers, not in Bavaria", [broker, "not: place: DE-BY"]],
  ["makléri okrem Bavorska", [broker, "not: place: DE-BY"]],
  ["Insurance brokers except Munich", [broker, "not: place: munchen"]],
  ["brokers in the EU", [broker, "country: EU27"]],
  ["Insurance brokers on Sylt", [broker, "place: Sylt"], [], ["Sylt"]],
  ["Insurance brokers in Nowhereville", [broker, "place: Nowhereville"], [], ["Nowhereville"]],
  ["Makler aus Hintertupfingen", [broker, "place: Hintertupfingen"], [], ["Hintertupfingen"]],
  ["makléři na Šumavě", [broker, "place: Šumavě"], [], ["Šumavě"]],
  ["poisťovací makléri v Horných Dolných", [broker, "place: Horných Dolných"], [], ["Horných Dolných"]],
  ["brokers in Vienna", [broker, "place: Vienna"], [], ["Vienna"]],
  ["brokers in Leipzig", [broker, "place: leipzig"], [], ["Leipzig"]],
  ["brokers in Munich or on Sylt", [broker, "place: munchen or Sylt"], [], ["Sylt"]],
];

const others: readonly Case[] = [
  ["Small family-owned brokers in Köln", [broker, "place: koln"], ["Small family-owned"]],
  ["Brokers specialised in Cyber, active in Köln", [broker, "place: koln"], ["specialised", "Cyber"]],
  ["Versicherungsmakler in Familienbesitz in Bayern", [broker, "place: DE-BY"], ["Familienbesitz"]],
  ["Makler in Köln mit 3 Standorten", [broker, "place: koln"], ["3 Standorten"]],
  ["makléři bez provizí v Berlíně", [broker, "place: DE-BE or berlin"], ["bez provizí"]],
  ["brokers with turnover over 1 million EUR", [broker], ["turnover", "1 million EUR"]],
  ["Brokerzy ubezpieczeniowi zatrudniający 50 osób", [broker, "persons: 50"], ["ubezpieczeniowi zatrudniający"]],
  ["insurance brokers on sylt", [broker], ["sylt"]],
  [
    "Insurance brokers in Bavaria with 5 to 50 employees, no banks",
    [broker, "place: DE-BY", "persons: 5 to 50", "not: bank"],
  ],
];

describe("an ICP", () => {
  for (const [of, cases] of Object.entries({ numbers, places, others }))
    for (const [icp, read_as, unread = [], elsewhere = []] of cases)
      test(`is parsed, and the rest is reported (${of}): ${icp}`, () =>
        expect(read(icp)).toEqual([read_as, unread, elsewhere]));

  test("gives reasons in its own words", () => {
    const icp = "Versicherungsmakler in Bayern, mindestens  5 Mitarbeiter";
    const [, , persons] = readIcp(icp, []).demands;
    const fields = { name: "A", sector: "broker", land: "DE-BY", persons: 9 };
    const reason = persons?.met({ id: "a", country: "DE", fields });
    expect(reason).toEqual({ words: "mindestens  5 Mitarbeiter", field: "persons", value: "9" });
    expect(persons?.met({ id: "a", country: "DE", fields: { ...fields, persons: null } })).toBeUndefined();
  });
});

describe("the pack", () => {
  test("reports what it did not understand to the approvers and in the report", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const target_adviser_icp = "Small insurance brokers in Bavaria with cyber expertise";
    const run = await restingPack(world, firm, { ...packInput, target_adviser_icp });
    const said =
      'Not understood as conditions of the ICP, so that targets may not meet them: "Small", "cyber expertise".';
    const shown = await world.run(firm, run.id, firm.people.approver.token);
    expect(shown.approval?.reason).toEndWith(`whether it is delivered. ${said}`);
    const output = shown.steps.find(({ key }) => key === "targets")?.result as TargetsOutput;
    expect(output).toMatchObject({ not_read: ["Small", "cyber expertise"], elsewhere: [] });
    expect(output.notes).toContain(said);
    expect((await sendDecision(world, firm, run, { decision: "approve" })).status).toBe(200);
    const done = await restingRun(world, firm, run.id);
    expect(done.steps.find(({ key }) => key === "report")?.result).toMatchObject({
      markdown: expect.stringContaining("cyber expertise"),
    });
    const texts = [said, shown.approval?.reason ?? ""];
    for (const language of ["cs", "sk", "de"] as const)
      for (const text of texts) {
        expect(voiceIn(language).own(text)).toContain('"Small", "cyber expertise"');
        expect(voiceIn(language).own(text)).not.toContain("understood");
      }
  });

  test("has no targets for a place without rows, and releases their credits", async () => {
    await using world = await packWorld(packServices(universe));
    const firm = await packFirm(world);
    const run = await restingPack(world, firm, { ...packInput, target_adviser_icp: "Insurance brokers on Sylt" });
    expect(run).toMatchObject({ status: "succeeded", approval: null });
    expect(run.steps.find(({ key }) => key === "targets")).toMatchObject({
      charged_credits: 0,
      result: { found: 0, targets: [], elsewhere: ["Sylt"], read_as: [broker, "place: Sylt"] },
    });
    expect(run.steps.find(({ key }) => key === "report")?.result).toMatchObject({
      markdown: expect.stringContaining('Places of the ICP that no row is known to be in: "Sylt".'),
    });
  });
});
