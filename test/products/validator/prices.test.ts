import { describe, expect, test } from "bun:test";
import { readHypothesis } from "../../../src/products/validator/hypothesis.ts";
import type { PriceRemark } from "../../../src/products/validator/price-reading.ts";
import { yearlyPrice } from "../../../src/products/validator/utility.ts";
import { asking, concluded } from "../../support/studies.ts";
import { bicycles } from "../../support/validator-world.ts";

/** An offer in each language, to which a price is appended. */
const offers = {
  en: (price: string) => `Drivers would buy motor insurance for ${price} in an app.`,
  cs: (price: string) => `Řidiči koupí autopojištění za ${price} v aplikaci.`,
  sk: (price: string) => `Vodiči kúpia autopoistenie za ${price} v aplikácii.`,
  de: (price: string) => `Autofahrer kaufen eine Kfz-Versicherung für ${price} in einer App.`,
  pl: (price: string) => `Kierowcy kupią ubezpieczenie samochodu za ${price} w aplikacji.`,
} as const;
type Language = keyof typeof offers;

/** Returns the parsed price: EUR per year, the remarks, and whether it is missing or unsure. */
function readIn(language: Language, price: string) {
  const read = readHypothesis(offers[language](price));
  const [isMissing, isUnsure] = [read.missing, read.unsure].map((parts) => parts.includes("price"));
  const year = yearlyPrice(read);
  return {
    year: year === null ? null : Math.round(year * 100) / 100,
    remarks: read.remarks.map(({ remark }) => remark),
    isMissing,
    isUnsure,
  };
}

/** Prices with their value in EUR per year, with PLN at 0.23 and CZK at 0.04. */
const periods: Readonly<Record<Language, Readonly<Record<string, number>>>> = {
  en: {
    "EUR 200 every six months": 400,
    "EUR 200 every 6 months": 400,
    "EUR 200 half-yearly": 400,
    "EUR 200 semi-annually": 400,
    "EUR 200 for half a year": 400,
    "EUR 30 every two weeks": 780,
    "EUR 30 fortnightly": 780,
    "EUR 30 every other month": 180,
    "30 EUR each quarter": 120,
    "30 EUR every three months": 120,
    "300 EUR every two years": 150,
    "EUR 300 for two years": 150,
    "EUR 100 twice a year": 200,
    "EUR 10 once a month": 120,
    "EUR 100, payable every quarter,": 400,
    "EUR 100 p. a.": 100,
    "twenty-five euros a month": 300,
    "two hundred euros a year": 200,
    "CHF 1'200 a year": 1260,
  },
  de: {
    "200 Euro halbjährlich": 400,
    "200 Euro pro Halbjahr": 400,
    "200 Euro im halben Jahr": 400,
    "200 Euro alle sechs Monate": 400,
    "200 Euro alle 6 Monate": 400,
    "20 Euro alle zwei Wochen": 520,
    "20 Euro zweimal im Jahr": 40,
    "20 Euro einmal im Monat": 240,
    "250 Euro für drei Jahre": 83.33,
    "49 € p.m.": 588,
    "fünfundzwanzig Euro im Monat": 300,
  },
  cs: {
    "2 400 Kč pololetně": 192,
    "2 400 Kč za půl roku": 192,
    "2 400 Kč každých šest měsíců": 192,
    "2 400 Kč každých 6 měsíců": 192,
    "2 400 Kč jednou za dva roky": 48,
    "490 Kč za čtvrt roku": 78.4,
    "200 Kč každé dva týdny": 208,
    "200 Kč dvakrát ročně": 16,
    "200 Kč 2x ročně": 16,
    "200 Kč jednou měsíčně": 96,
    "dvě stě korun měsíčně": 96,
    "deset tisíc korun ročně": 400,
  },
  sk: {
    "200 eur polročne": 400,
    "200 eur za pol roka": 400,
    "200 eur raz za pol roka": 400,
    "200 eur každých šesť mesiacov": 400,
    "20 eur každé dva týždne": 520,
    "15 eur štvrťročne": 60,
  },
  pl: {
    "800 zł co pół roku": 368,
    "800 zł półrocznie": 368,
    "800 zł rocznie": 184,
    "80 zł miesięcznie": 220.8,
    "80 zł co dwa miesiące": 110.4,
    "100 zł raz na kwartał": 92,
  },
};

/** Prices that can't be converted to a yearly price, or only with an assumption. */
const uncertain: Readonly<Record<Language, Readonly<Record<string, readonly [PriceRemark, number | null]>>>> = {
  en: {
    "0.05 EUR per km": ["measure", null],
    "0.005 EUR per km": ["measure", null],
    "5 cents per kilometre": ["measure", null],
    "5 cents a kilometre": ["measure", null],
    "EUR 5 per 100 km": ["measure", null],
    "0.02 EUR/kWh": ["measure", null],
    "EUR 90 an hour": ["measure", null],
    "EUR 5 per EUR 1,000 of sum insured": ["measure", null],
    "0.3 % of the sum insured": ["percent", null],
    "0.3 % of the EUR 100,000 sum insured": ["percent", null],
    "9 EUR per trip": ["piece", 9],
    "0.50 EUR per ride": ["piece", 0.5],
    "EUR 20 per employee per month": ["piece", 240],
    "EUR 20/user/month": ["piece", 240],
    "EUR 3 per policy": ["piece", 3],
    "EUR 200": ["no_period", 200],
    "EUR 200 whenever it suits them": ["no_period", 200],
    "50 cents a day": ["daily", 5],
    "EUR 5-8 a month": ["range", 60],
    "EUR 5 to EUR 8 a month": ["range", 60],
    "EUR 100 once plus EUR 5 a month": ["first_year", 160],
    "EUR 5 a month plus a one-off fee of EUR 50": ["first_year", 110],
  },
  de: {
    "5 Cent pro Kilometer": ["measure", null],
    "0,125 Euro je Kilometer": ["measure", null],
    "0,05 €/km": ["measure", null],
    "2 Cent pro Kilowattstunde": ["measure", null],
    "0,3 % der Versicherungssumme": ["percent", null],
    "20 Euro pro Mitarbeiter und Monat": ["piece", 240],
    "3 Euro je Police": ["piece", 3],
    "einmalig 50 Euro und 5 Euro im Monat": ["first_year", 110],
    "5 bis 8 Euro im Monat": ["range", 60],
  },
  cs: {
    "1 Kč za kilometr": ["measure", null],
    "1 Kč za každý ujetý kilometr": ["measure", null],
    "50 haléřů za km": ["measure", null],
    "0,5 % z pojistné částky": ["percent", null],
    "300 Kč za cestu": ["piece", 12],
    "500 Kč měsíčně na zaměstnance": ["piece", 240],
    "99 až 149 Kč měsíčně": ["range", 47.52],
    "500 Kč jednorázově a 99 Kč měsíčně": ["first_year", 67.52],
  },
  sk: {
    "5 centov za kilometer": ["measure", null],
    "0,5 % z poistnej sumy": ["percent", null],
    "15 eur za osobu": ["piece", 15],
    "20 eur mesačne na zamestnanca": ["piece", 240],
  },
  pl: {
    "20 groszy za kilometr": ["measure", null],
    "0,5 % sumy ubezpieczenia": ["percent", null],
    "80 zł miesięcznie od pracownika": ["piece", 220.8],
  },
};

const languages = Object.keys(offers) as Language[];

describe("a price is converted to a yearly price", () => {
  for (const language of languages)
    test(`from periods of any length in ${language}`, () => {
      for (const [price, year] of Object.entries(periods[language]))
        expect([price, readIn(language, price)]).toEqual([
          price,
          { year, remarks: [], isMissing: false, isUnsure: false },
        ]);
    });

  for (const language of languages)
    test(`or has a remark on what prevents it in ${language}`, () => {
      for (const [price, [remark, year]] of Object.entries(uncertain[language])) {
        const wanted = { year, remarks: [remark], isMissing: year === null, isUnsure: remark === "piece" };
        expect([price, readIn(language, price)]).toEqual([price, wanted]);
      }
    });

  test("from the fixed part if there is also a price per measure", () => {
    expect(readIn("en", "EUR 10 a month plus 0.02 EUR per km")).toMatchObject({ year: 120, remarks: ["measure"] });
  });

  test("ignoring how often people do something, or how old they are", () => {
    const prices = {
      "Commuters who cycle every day would buy theft cover for EUR 60 in an app.": 60,
      "Musicians who travel every month would buy cover for their instruments at EUR 50.": 50,
      "Dojíždějící, kteří jezdí každý den na kole, koupí pojištění za 600 Kč.": 24,
    };
    for (const [text, year] of Object.entries(prices)) {
      const read = readHypothesis(text);
      expect([text, yearlyPrice(read), read.remarks.map(({ remark }) => remark)]).toEqual([text, year, ["no_period"]]);
    }
  });

  test("ignoring percentages of people", () => {
    for (const text of [
      "60 % of households would pay EUR 20 a month for energy cover.",
      "Brokers lose 20 % of their income. We offer them a tool for EUR 20 a month.",
    ])
      expect([text, yearlyPrice(readHypothesis(text)), readHypothesis(text).remarks]).toEqual([text, 240, []]);
  });
});

test("a list of figures of any length is parsed to its end", () => {
  for (const row of ["100 ", "9", "100% ", "1.000.", "123 456 789 "]) {
    const { price } = readHypothesis(`${row.repeat(20_000)} We offer theft cover for 4 EUR a month.`);
    expect([row, price?.amount]).toEqual([row, 4]);
  }
});

describe("a report states how the price was understood", () => {
  const priced = (price: string) => concluded(asking({ hypothesis: bicycles.replace("4 EUR a month", price) })).report;

  test("if it has no yearly price", () => {
    const { notes, hypothesis, price } = priced("0.05 EUR per km");
    expect([hypothesis.price, price?.stated ?? null, hypothesis.missing]).toEqual([null, null, ["price"]]);
    expect(notes?.at(-1)).toBe(
      'The price "0.05 EUR per km" can\'t be converted to a yearly price, since the amount of use is not stated: it was left out.',
    );
  });

  test("if something was assumed", () => {
    const said = {
      "2 EUR per ride": 'The price "2 EUR per ride" is per item',
      "90 EUR": 'No period is stated for the price "90 EUR"',
      "3 EUR a day": 'The price "3 EUR a day" is per day: ten days a year were assumed.',
      "5 to 8 EUR a month": 'The lowest of the prices "5 to 8 EUR a month" was used.',
    };
    for (const [price, note] of Object.entries(said)) expect(priced(price).notes?.at(-1)).toStartWith(note);
  });

  test("except if it is unambiguous", () => {
    for (const price of ["4 EUR a month", "24 EUR every six months", "49 EUR one-off"])
      expect([price, priced(price).notes?.filter((note) => note.includes("price"))]).toEqual([price, []]);
  });

  test("with less confidence if it is per item", () => {
    const of = (price: string) =>
      concluded(asking({ hypothesis: bicycles.replace("4 EUR a month", price) })).confidence;
    expect(of("48 EUR a year per bicycle")).toBeLessThan(of("48 EUR a year"));
  });
});
