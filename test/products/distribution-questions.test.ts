import { expect, test } from "bun:test";
import type { EngineContext } from "../../src/contracts/engine.ts";
import { distributionIntelligenceEngine } from "../../src/products/capabilities/distribution-intelligence/engine.ts";
import { DatasetWorld, fileWith } from "../support/datasets.ts";

/** Returns the engine's answer to a question: `code group period value` of each figure, and the summary. */
async function asking(files: readonly [string, string][] = []) {
  const world = await DatasetWorld.open();
  if (files.length > 0) await world.import("distribution", files);
  const engine = distributionIntelligenceEngine(world.datasets);
  const context = { now: () => new Date("2026-11-22") } as EngineContext;
  return {
    world,
    ask: async (dataset: string, question: string) => {
      const { result } = await engine.run({ question, dataset }, context);
      const figures = result.aggregates.map(({ indicator, group, period, value }) =>
        [indicator, ...(group === null ? [] : [group]), period, value].join(" "),
      );
      return { figures, summary: result.summary };
    },
  };
}

type Scenario = readonly [dataset: string, question: string, figures: readonly string[], said: string];

/** Asks every question, and compares the figures and the summary. */
async function expectAll(scenarios: readonly Scenario[], files: readonly [string, string][] = []): Promise<void> {
  const { world, ask } = await asking(files);
  await using _ = world;
  for (const [dataset, question, figures, said] of scenarios) {
    const found = await ask(dataset, question);
    expect({ question, figures: found.figures, said: found.summary.includes(said) ? said : found.summary }).toEqual({
      ...{ question, figures: [...figures], said },
    });
  }
}

test("returns nothing for a place without figures, in any language", () =>
  expectAll([
    [
      "de_register",
      "Anzahl der Makler in Österreich",
      [],
      "keine Angabe zu: „Österreich“. Seine Angaben gelten für: Deutschland.",
    ],
    ["de_register", "Number of brokers in Berlin", [], "no figure for: “Berlin”. Its figures are of: Germany."],
    ["de_register", "Wie viele Vermittler gibt es in Bayern?", [], "„Bayern“"],
    ["de_register", "brokers in Munich", [], "“Munich”"],
    ["de_register", "Brokers in the United States", [], "“United States”"],
    ["de_register", "Makler in Japan", [], "Japan"],
    ["de_register", "Koľko maklérov je na Slovensku?", [], "„Slovensku“. Jej hodnoty sú za: Nemecko."],
    ["de_register", "Ilu brokerów jest w Polsce?", [], "“Polsce”"],
    ["de_register", "Hány bróker van Ausztriában?", [], "Ausztriában"],
    ["de_register", "Makler in DE21", [], "“DE21”"],
    ["cz_zfs_2021", "Premium of contracts mediated in Slovakia", [], "“Slovakia”. Its figures are of: Czechia."],
    ["cz_zfs_2021", "Objem úvěrů v Praze", [], "„Praze“"],
    ["cz_zfs_2021", "Koľko zmlúv bolo sprostredkovaných v Žiline?", [], "„Žiline“"],
    ["cz_market", "Pojištěnost v Maďarsku", [], "„Maďarsku“"],
    ["de_premiums", "Pojistné životního pojištění v Sasku", [], "„Sasku“"],
  ]));

test("accepts the dataset's own country, alone or with another, which is reported as missing", () =>
  expectAll([
    ["de_register", "Kolik je v Německu makléřů?", ["brokers 2025-10-01 46885"], "celkem"],
    ["de_register", "Makler in der Bundesrepublik Deutschland", ["brokers 2025-10-01 46885"], "Insurance brokers"],
    ["cz_zfs_2021", "Insurance contracts in the Czech Republic, 2021", ["contracts 2021 4806552"], "in all"],
    [
      "de_register",
      "Number of brokers in Germany and Austria",
      ["brokers 2025-10-01 46885"],
      "no figure for: “Austria”",
    ],
  ]));

test("does not give the total for an unknown insurer, line of insurance or channel", () =>
  expectAll([
    ["de_premiums", "Beiträge der Allianz Lebensversicherung", [], "keine Angabe zu: „Allianz“"],
    ["de_premiums", "Beiträge der gesetzlichen Krankenversicherung", [], "„gesetzlichen Krankenversicherung“"],
    ["de_premiums", "Beiträge der Kfz-Versicherung", [], "„Kfz“"],
    ["de_premiums", "Premiums of non-life insurance", [], "no figure for"],
    ["de_register", "Wie viele Makler hat die Allianz?", [], "„Allianz“"],
    ["cz_zfs_2021", "Smlouvy České pojišťovny", [], "„České pojišťovny“"],
    ["cz_zfs_2021", "Jaké pojistné zprostředkovali makléři v Brně?", [], "„makléři“, „Brně“"],
    ["cz_zfs_2021", "Kolik smluv sjednali vázaní zástupci?", [], "„vázaní zástupci“"],
    ["cz_zfs_2021", "How many life insurance contracts were mediated?", [], "“life insurance”"],
    ["cz_market", "Premiums of life insurance", [], "“life insurance”"],
    ["cz_market", "Pojištěnost životního pojištění", ["penetration_life 2022 0.8"], "Life insurance penetration"],
    ["cz_market", "Penetration of non-life insurance", ["penetration_nonlife 2022 2.1"], "Non-life"],
    ["de_premiums", "Premiums of life insurance and motor insurance", ["life 2016 90763"], "no figure for: “motor”"],
    ["de_premiums", "Beiträge der Lebens- und Krankenversicherung", ["life 2016 90763", "health 2016 37250"], "in"],
    ["cz_zfs_2021", "Smlouvy nezávislých zprostředkovatelů", ["contracts 2021 4806552"], "independent"],
  ]));

test("reports topics that are not counted, and a second topic next to a known one", () =>
  expectAll([
    ["de_register", "What commission do brokers earn?", [], "no figure for: “commission”"],
    ["de_register", "Durchschnittsalter der Makler", [], "„Durchschnittsalter“"],
    ["de_register", "How many female brokers are there?", [], "“female”"],
    ["de_register", "Prognose der Makler", [], "„Prognose“"],
    ["de_register", "Wie hoch ist die Maklerprovision?", [], "keine solche Angabe"],
    ["de_register", "Prämien der Makler", [], "„Prämien“"],
    ["de_register", "Wer ist der größte Makler?", [], "Personen und Firmen werden nicht genannt"],
    ["de_premiums", "Anzahl der Lebensversicherungen", [], "„Anzahl“"],
    ["de_premiums", "claims of property insurance", [], "“claims”"],
    ["cz_zfs_2021", "Kolik smluv bylo zrušeno?", [], "„zrušeno“"],
    ["de_register", "brokers and contracts", ["brokers 2025-10-01 46885"], "no figure for: “contracts”"],
    [
      "de_register",
      "How many brokers? How many contracts?",
      ["brokers 2025-10-01 46885"],
      "no figure for: “contracts”",
    ],
  ]));

test("does not compute ratios, shares, sums and other currencies, and says so before the figures", () =>
  expectAll([
    ["de_register", "Wie viele Makler je Einwohner?", ["brokers 2025-10-01 46885"], "werden nicht berechnet"],
    [
      "de_premiums",
      "What were total premiums in Germany in 2016?",
      ["life 2016 90763", "health 2016 37250", "property 2016 66296"],
      "Sums, shares",
    ],
    ["de_premiums", "Gesamtprämien", ["life 2016 90763", "health 2016 37250", "property 2016 66296"], "Summen"],
    ["de_premiums", "total life premiums", ["life 2016 90763"], "Premiums of life"],
    [
      "de_register",
      "Anteil der Makler an allen Vermittlern",
      ["intermediaries 2025-10-01 179426", "brokers 2025-10-01 46885"],
      "werden nicht berechnet",
    ],
    ["cz_zfs_2021", "Pojistné v eurech", ["premium 2021 34741994242"], "nepočítají"],
    ["cz_zfs_2021", "Kolik smluv připadá na jednoho zprostředkovatele?", ["contracts 2021 4806552"], "nepočítají"],
    ["cz_zfs_2021", "Pojistné na smlouvu", ["average_premium 2021 7228"], "Average premium"],
    ["cz_zfs_2021", "Wie hoch ist die durchschnittliche Prämie?", ["average_premium 2021 7228"], "Average premium"],
    ["cz_market", "Penetration as share of GDP", ["penetration 2022 2.9"], "Insurance penetration, % of GDP"],
  ]));

test("never answers an exclusion with the figure of what is excluded", () =>
  expectAll([
    ["de_register", "Intermediaries except brokers", [], "no figure for: “except brokers”"],
    ["de_register", "How many non-tied agents are there?", [], "no figure for: “non tied agents”"],
    ["de_register", "How many untied agents are there?", [], "“untied agents”"],
    ["de_register", "Wie viele ungebundene Vermittler gibt es?", [], "„ungebundene Vermittler“"],
    ["de_register", "Kolik je nevázaných zprostředkovatelů?", [], "„nevázaných zprostředkovatelů“"],
    ["de_register", "Koľko je neviazaných agentov?", [], "„neviazaných agentov“"],
    ["de_register", "How many agents without a licence are there?", [], "“without a licence”"],
    ["de_register", "How many unregistered intermediaries are there?", [], "“unregistered intermediaries”"],
    ["de_register", "Wie viele Makler, die nicht registriert sind?", [], "„nicht registriert sind“"],
    ["de_register", "Wie viele Vermittler sind keine Makler?", [], "„keine Makler“"],
    ["de_register", "Kolik zprostředkovatelů nejsou makléři?", [], "„nejsou makléři“"],
    ["de_register", "Makler außerhalb Deutschlands", [], "„außerhalb Deutschlands“"],
    ["cz_zfs_2021", "Non-consumer credits mediated in 2021", [], "“Non consumer credits”"],
    ["cz_zfs_2021", "Kolik nespotřebitelských úvěrů bylo zprostředkováno?", [], "„nespotřebitelských úvěrů“"],
    ["cz_zfs_2021", "Kolik smluv nebylo zprostředkováno?", [], "„smluv nebylo“"],
    ["de_premiums", "What were non-life premiums in 2016?", [], "no such figure"],
    ["de_premiums", "What were non-health premiums in 2016?", [], "“non health premiums”"],
    ["de_premiums", "Premiums other than life", [], "“other than life”"],
    ["de_premiums", "Beiträge ohne Lebensversicherung", [], "„ohne Lebensversicherung“"],
  ]));

test(`answers "without life insurance" with the other insurance, if the dataset has it`, () =>
  expectAll(
    [
      ...["Non-life insurance penetration?", "penetration without life", "penetration, life excluded"],
      ...["Durchdringung der Nicht-Lebensversicherung", "Durchdringung ohne Lebensversicherung"],
      ...[
        "Penetrace pojištění kromě životního",
        "penetrácia bez životného poistenia",
        "Nem-életbiztosítási penetráció",
      ],
    ].map((question) => ["cz_market", question, ["penetration_nonlife 2022 2.1"], "Non-life insurance"] as const),
  ));

test("answers a comparison without the compared part, and ignores polite or emphatic negations", () =>
  expectAll([
    ["cz_market", "life rather than non-life penetration", ["penetration_life 2022 0.8"], "Life insurance"],
    ["de_register", "brokers, not agents", ["brokers 2025-10-01 46885"], "no figure for: “not agents”"],
    ["de_register", "Makler statt Vertreter", ["brokers 2025-10-01 46885"], "“statt Vertreter”"],
    ["de_register", "No. of brokers in Germany", ["brokers 2025-10-01 46885"], "Insurance brokers"],
    ["de_register", "Nevíte, kolik je makléřů?", ["brokers 2025-10-01 46885"], "Insurance brokers"],
    [
      "de_register",
      "Not only brokers but also tied agents",
      ["tied_agents 2025-10-01 99173", "brokers 2025-10-01 46885"],
      "Tied agents",
    ],
  ]));

test("quotes unexplained words before the figure, and remarks nothing on plain questions", async () => {
  await expectAll([
    ["de_register", "Brokers in Buxtehude", ["brokers 2025-10-01 46885"], "not taken into account: “Buxtehude”."],
    ["de_premiums", "Neugeschäft der Lebensversicherung", ["life 2016 90763"], "nicht berücksichtigt: „Neugeschäft“."],
    ["cz_zfs_2021", "smlouvy pro seniory", ["contracts 2021 4806552"], "nezohledněno: „seniory“."],
  ]);
  const { world, ask } = await asking();
  await using _ = world;
  for (const [dataset, question, begins] of [
    ["de_register", "Bitte nennen Sie mir die aktuelle Zahl der Versicherungsmakler", "Insurance brokers, number"],
    ["de_register", "How many insurance intermediaries are registered with the DIHK?", "Registered insurance"],
    ["de_register", "Počet viazaných agentov v Nemecku", "Tied agents, number"],
    ["de_register", "Vývoj počtu makléřů v Německu od roku 2016", "Insurance brokers, number"],
    [
      "cz_zfs_2021",
      "Jaký byl objem zprostředkovaných spotřebitelských úvěrů v ČR v roce 2021?",
      "Volume of the consumer",
    ],
    ["cz_zfs_2021", "Koľko poistných zmlúv bolo sprostredkovaných v roku 2021?", "Insurance contracts mediated"],
    ["de_premiums", "Beitragseinnahmen der Schaden- und Unfallversicherung 2016", "Premiums of property"],
    ["de_premiums", "Premiums of private health insurance in 2014", "Premiums of private health"],
  ] as const)
    expect([question, (await ask(dataset, question)).summary.startsWith(begins)]).toEqual([question, true]);
});

test("distinguishes agents, advisers and premiums as the dataset does", () =>
  expectAll([
    [
      "de_register",
      "How many agents are there?",
      ["tied_agents 2025-10-01 99173", "agents 2018-01-02 29689"],
      "Agents",
    ],
    ["de_register", "How many advisers are there?", ["advisers 2018-01-02 317"], "Insurance advisers"],
    ["de_register", "Wie viele Versicherungsvermittler gibt es?", ["intermediaries 2025-10-01 179426"], "insgesamt"],
    ["de_register", "kolik je makleru", ["brokers 2025-10-01 46885"], "celkem"],
    ["cz_zfs_2021", "How much premium did independent intermediaries mediate?", ["premium 2021 34741994242"], "in all"],
    ["cz_zfs_2021", "total amount of consumer loans", ["credit_volume 2021 412751001333"], "in all"],
    ["cz_market", "Jaký je podíl pojistného na HDP?", ["penetration 2022 2.9"], "% of GDP"],
    ["cz_zfs_2021", "Kolik činily pojistné smlouvy?", ["contracts 2021 4806552"], "celkem"],
    ["cz_market", "Předepsané pojistné v roce 2005", ["premiums_czk 2005 115.71"], "billion CZK"],
    [
      "de_premiums",
      "Wie hoch sind die Beiträge?",
      ["life 2016 90763", "health 2016 37250", "property 2016 66296"],
      "in",
    ],
  ]));

test("counts a change without a start from the first to the last figure, and respects months, quarters and years", () =>
  expectAll([
    [
      "de_register",
      "How has the number of brokers changed?",
      ["brokers 2009-03-31 37747", "brokers 2025-10-01 46885"],
      "in",
    ],
    [
      "de_register",
      "Is the number of brokers falling?",
      ["brokers 2009-03-31 37747", "brokers 2025-10-01 46885"],
      "in",
    ],
    ["de_register", "Tied agents in January 2018", ["tied_agents 2018-01-02 140211"], "in all"],
    ["de_register", "Tied agents in March 2016", [], "no figure for the period"],
    ["de_register", "Makler am 1.1.2016", ["brokers 2016-01-06 46642"], "Insurance brokers"],
    ["cz_market", "premiums in the second quarter of 2023", [], "no figure for the period"],
    ["de_register", "Makler vor 2016", ["brokers 2015-10-01 46680"], "Insurance brokers"],
    ["de_premiums", "Lebensversicherung nach 2015", ["life 2016 90763"], "life insurance"],
    ["cz_market", "Market premiums by year until 2005", ["premiums_czk 2004 111.55", "premiums_czk 2005 115.71"], "in"],
  ]));

const register = [
  "dataset,reference_date,region_nuts3,type,legal_form,expertise_group,count,contracts,premium_czk,label,source_url",
  "reg,2026-01-01,CZ010,SZ,legal,life,20,60,20000,A,",
  "reg,2026-01-01,CZ020,SZ,natural,property,9,28,9000,A,",
  "reg,2026-01-01,CZ031,VZ,natural,life,40,122,40000,A,",
].join("\n");

test("finds a register's regions by name, and reports that two dimensions can't be combined", () => {
  const at = "2026-01-01";
  const regions = [`intermediaries ${at} 69`, `intermediaries CZ010 ${at} 20`, `intermediaries CZ020 ${at} 9`];
  const all = [...regions, `intermediaries CZ031 ${at} 40`];
  const types = [`intermediaries ${at} 69`, `intermediaries SZ ${at} 29`, `intermediaries VZ ${at} 40`];
  return expectAll(
    [
      ["reg", "Kolik zprostředkovatelů je v Praze?", all, "CZ010"],
      ["reg", "How many intermediaries are there in South Bohemia?", all, "CZ031"],
      ["reg", "Kolik zprostředkovatelů je v Ostravě?", [], "„Ostravě“"],
      ["reg", "intermediaries in CZ080", [], "“CZ080”"],
      ["reg", "Number of intermediaries in Slovakia", [], "“Slovakia”"],
      ["reg", "Počet zprostředkovatelů v České republice", [`intermediaries ${at} 69`], "celkem"],
      ["reg", "Kolik je VZ?", types, "VZ"],
      ["reg", "How many VZ are there in Prague?", types, "one dimension at a time"],
      ["reg", "intermediaries by age", [`intermediaries ${at} 69`], "no groups"],
    ],
    [[fileWith("r.csv", `${register}\n`), "publisher: CNB\n"]],
  );
});

test("shows the requested one of several countries, and names each if none is requested", () => {
  const said =
    "name: two\npublisher: CNB\nplace: {column: place}\nperiod: {column: year}\nvalues: [{column: n, indicator: brokers, unit: number}, {column: f, indicator: fee_income, unit: EUR}]\n";
  return expectAll(
    [
      ["two", "brokers in Austria", ["brokers AT 2025 50"], "AT 50"],
      ["two", "Wie viele Makler gibt es?", ["brokers AT 2025 50", "brokers DE 2025 70"], "DE 70"],
      ["two", "brokers in France", [], "“France”. Its figures are of:"],
      ["two", "fee_income of Germany", ["fee_income DE 2025 9"], "EUR"],
    ],
    [[fileWith("t.csv", "place;year;n;f\nDE;2025;70;9\nAT;2025;50;8\n"), said]],
  );
});
