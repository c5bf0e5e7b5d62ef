import { describe, expect, test } from "bun:test";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";

const stateOf = (source: string, answer: string, question = answer): string => {
  const { promised, failed } = checkFaithfulness({ question, answer, sources: [source] });
  return promised ? "OK" : failed ? "FAIL" : "WARN";
};

describe("FAIL", () => {
  const theft = "The policyholder must notify the insurer of a theft within 7 days of discovering it.";
  const glasses = "Brillen und Kontaktlinsen erstatten wir bis zu 300 Euro alle zwei Jahre, wenn ein Rezept vorliegt.";

  test.each([
    [theft, "The insurer has to be told about a theft by the policyholder within a week of its discovery."],
    [glasses, "Liegt ein Rezept vor, werden Brillen und Kontaktlinsen alle zwei Jahre bis 300 Euro bezahlt."],
    ["Der Selbstbehalt beträgt 500 Euro.", "Sie tragen 500 Euro selbst."],
    ["Škodu je třeba ohlásit do 7 dnů.", "Napište nám, co se stalo, nejpozději za týden."],
    ["Portable electronics are covered except when left in a car.", "If left in a car, electronics are not covered."],
  ])("having few words of the source is not a contradiction: %p", (source, answer) => {
    expect(stateOf(source, answer, "How is it?")).not.toBe("FAIL");
  });

  test.each([
    [theft, "You must notify the insurer of a theft within 70 days of discovering it."],
    [glasses, "Brillen und Kontaktlinsen erstatten wir bis zu 300 Franken alle zwei Jahre, wenn ein Rezept vorliegt."],
    [theft, "Stolen goods are found by the famous detective Sherlock in most cases."],
    [theft, "I would love to go to the seaside with you some time."],
    ["Poisťovňa hradí škody spôsobené povodňou.", "Poisťovňa nehradí škody spôsobené povodňou."],
  ])("another amount, unit or name, a negation and an opinion fail: %p", (source, answer) => {
    expect(stateOf(source, answer, "How is it?")).toBe("FAIL");
  });

  test("a verbatim part of a sentence does not fail", () => {
    for (const part of ["Kontaktlinsen erstatten wir", "alle zwei Jahre", "300 Euro"])
      expect(stateOf(glasses, part, "Was zahlt ihr?")).not.toBe("FAIL");
  });
});

/** A source in its language, equivalent answers, and answers that differ in one thing. */
interface Pair {
  readonly source: string;
  readonly same: readonly string[];
  readonly other: readonly string[];
}

const rules: Readonly<Record<string, readonly Pair[]>> = {
  "a duty in other words, said to its customer or in the passive": [
    {
      source: "Pojistník je povinen oznámit škodu pojistiteli nejpozději do 5 dnů ode dne, kdy se o ní dozvěděl.",
      same: [
        "Škodu musíte pojistiteli ohlásit do 5 dnů od chvíle, kdy jste se o ní dozvěděl.",
        "Máte povinnost oznámit škodu pojistiteli nejpozději pět dní ode dne, kdy jste se o ní dozvěděli.",
      ],
      other: [
        "Škodu musíte pojistiteli oznámit do 5 dnů ode dne, kdy vznikla.",
        "Pojistník může oznámit škodu pojistiteli kdykoli.",
        "Pojistitel je povinen oznámit škodu pojistníkovi nejpozději do 5 dnů ode dne, kdy se o ní dozvěděl.",
      ],
    },
    {
      source:
        "Der Versicherungsnehmer hat den Schaden dem Versicherer innerhalb von zwei Wochen nach Kenntnis anzuzeigen.",
      same: [
        "Sie müssen den Schaden dem Versicherer spätestens 14 Tage nach Kenntnis melden.",
        "Der Schaden muss dem Versicherer binnen zwei Wochen nach Kenntnis vom Versicherungsnehmer gemeldet werden.",
      ],
      other: [
        "Sie müssen den Schaden dem Versicherer innerhalb von zwei Wochen nach Eintritt anzeigen.",
        "Sie müssen den Schaden der Polizei innerhalb von zwei Wochen nach Kenntnis anzeigen.",
      ],
    },
    {
      source: "Ubezpieczający jest obowiązany zgłosić szkodę ubezpieczycielowi w terminie 7 dni od dnia jej powstania.",
      same: [
        "Szkodę musi Pan zgłosić ubezpieczycielowi najpóźniej w ciągu 7 dni od jej powstania.",
        "Ubezpieczający musi zawiadomić ubezpieczyciela o szkodzie w ciągu tygodnia od dnia jej powstania.",
      ],
      other: ["Ubezpieczający może zgłosić szkodę ubezpieczycielowi w terminie 7 dni od dnia jej powstania."],
    },
  ],
  "equal amounts and times, and working days": [
    {
      source: "The bank pays out the loan within two business days after the contract has been signed.",
      same: ["The loan is paid out by the bank no later than 2 working days after the contract has been signed."],
      other: [
        "The bank pays out the loan within two days after the contract has been signed.",
        "The bank pays out the loan within two weeks after the contract has been signed.",
      ],
    },
    {
      source: "A biztosítás fedezi a viharkárokat 2 millió forintig.",
      same: ["A biztosító a viharkárokat legfeljebb kétmillió forintig megtéríti."],
      other: ["A biztosítás fedezi a viharkárokat kétezer forintig."],
    },
    {
      source: "Die Beiträge können für höchstens 18 Monate ausgesetzt werden.",
      same: ["Die Beiträge können maximal anderthalb Jahre ausgesetzt werden."],
      other: ["Die Beiträge können maximal zweieinhalb Jahre ausgesetzt werden."],
    },
    {
      source: "Poistenie kryje škody spôsobené povodňou do výšky 50 000 eur.",
      same: ["Škody spôsobené povodňou poisťovňa hradí najviac do päťdesiattisíc eur."],
      other: ["Škody spôsobené povodňou poisťovňa hradí od 50 000 eur."],
    },
  ],
  "conditions and exceptions, wherever they stand": [
    {
      source: "Portable electronics are covered except when left in an unattended vehicle.",
      same: [
        "Portable electronics are covered unless they were left in an unattended vehicle.",
        "If left in an unattended vehicle, portable electronics are not covered.",
      ],
      other: [
        "Portable electronics are covered.",
        "Portable electronics are only covered when left in an unattended vehicle.",
      ],
    },
    {
      source: "Cestovné poistenie hradí liečebné náklady do 200 000 eur vo všetkých krajinách okrem USA a Kanady.",
      same: ["Liečebné náklady sú hradené do výšky 200 000 eur vo všetkých krajinách okrem USA a Kanady."],
      other: [
        "Cestovné poistenie hradí liečebné náklady do 200 000 eur vo všetkých krajinách okrem USA.",
        "Cestovné poistenie hradí liečebné náklady do 200 000 eur vo všetkých krajinách.",
      ],
    },
    {
      source: "A szerződést az ügyfél 30 napos határidővel írásban felmondhatja, ha a biztosítási díjat megfizette.",
      same: ["Ha a biztosítási díjat megfizette, az ügyfél írásban, 30 napos határidővel felmondhatja a szerződést."],
      other: ["A szerződést az ügyfél 30 napos határidővel írásban felmondhatja."],
    },
  ],
  "from when, how often, at least and at most": [
    {
      source: "Theft is covered from the second year.",
      same: ["From the second year theft is covered.", "Theft is covered. Cover is from the second year."],
      other: ["Theft is covered.", "Theft is covered from the first year."],
    },
    {
      source: "Damage is covered up to EUR 5,000 after a waiting period of three months.",
      same: ["Damage is covered up to EUR 5,000 after a waiting period of 3 months."],
      other: ["Damage is covered up to EUR 5,000."],
    },
    {
      source: "Poškození je kryto do 5 000 Kč, od druhého roku pojištění.",
      same: ["Poškození je kryto do 5 000 korun, od druhého roku pojištění."],
      other: ["Poškození je kryto do 5 000 Kč.", "Poškození je kryto do 5 000 Kč od třetího roku."],
    },
    {
      source: "Krádež je krytá po troch mesiacoch.",
      same: ["Po 3 mesiacoch je krádež krytá."],
      other: ["Krádež je krytá."],
    },
    {
      source: "Diebstahl ist ab dem zweiten Jahr gedeckt.",
      same: ["Ab dem zweiten Jahr ist Diebstahl gedeckt."],
      other: ["Diebstahl ist gedeckt."],
    },
    {
      source: "Kradzież jest objęta ubezpieczeniem po upływie trzech miesięcy.",
      same: ["Po upływie 3 miesięcy kradzież jest objęta ubezpieczeniem."],
      other: ["Kradzież jest objęta ubezpieczeniem."],
    },
    {
      source: "A lopás a második évtől biztosított.",
      same: ["A második évtől a lopás biztosított."],
      other: ["A lopás biztosított."],
    },
    {
      source: "Theft is insured up to EUR 5,000 per year.",
      same: ["Theft is insured up to EUR 5,000 a year.", "Theft is insured up to EUR 5,000 annually."],
      other: ["Theft is insured up to EUR 5,000.", "Theft is insured up to EUR 5,000 per event."],
    },
    {
      source: "Krádež hradíme do 5 000 Kč za jednu událost.",
      same: ["Do 5 000 Kč hradíme krádež za jednu událost."],
      other: ["Krádež hradíme do 5 000 Kč."],
    },
    {
      source: "Diebstahl ist bis 5.000 EUR jährlich versichert.",
      same: ["Diebstahl ist jährlich bis 5.000 EUR versichert."],
      other: ["Diebstahl ist bis 5.000 EUR versichert."],
    },
    {
      source: "Kradzież jest objęta do 5 000 zł rocznie.",
      same: ["Kradzież jest objęta do 5 000 zł na rok."],
      other: ["Kradzież jest objęta do 5 000 zł."],
    },
    {
      source: "A biztosító évente 5 000 euróig fizet.",
      same: ["A biztosító 5 000 euróig fizet évente."],
      other: ["A biztosító 5 000 euróig fizet."],
    },
    {
      source: "The deductible is 10 % of the damage, at least CZK 5,000.",
      same: ["The deductible is 10 % of the damage, no less than CZK 5,000."],
      other: ["The deductible is 10 % of the damage.", "The deductible is 10 %, at most CZK 5,000."],
    },
    {
      source: "Spoluúčast je 10 %, nejméně 5 000 Kč.",
      same: ["Spoluúčast je 10 %, minimálně 5 000 Kč."],
      other: ["Spoluúčast je 10 %."],
    },
    { source: "Az önrész 10 %, de legalább 50 000 Ft.", same: [], other: ["Az önrész 10 %."] },
    {
      source: "The waiting period is 3 months; theft is covered after 6 months.",
      same: ["The waiting period is 3 months."],
      other: ["Theft is covered."],
    },
    { source: "The insurer pays EUR 5,000 within 30 days.", same: ["The insurer pays EUR 5,000."], other: [] },
    {
      source: "Krádež hradíme do 5 000 Kč za pojistný rok.",
      same: ["Krádež hradíme do 5 000 Kč za pojistný rok."],
      other: ["Krádež hradíme do 5 000 Kč."],
    },
    { source: "The limit is EUR 5,000 for each event.", same: ["The limit is EUR 5,000."], other: [] },
    { source: "Škodu oznamte do 15 dnů od dne, kdy vznikla.", same: ["Škodu oznamte do 15 dnů."], other: [] },
  ],
  "how wide it is": [
    {
      source: "Bicycles are insured against theft and damage in all European Union countries.",
      same: ["Your bike is covered for theft in all European Union countries."],
      other: ["Your bike is covered for theft in all countries."],
    },
    {
      source: "Pojištění se vztahuje na úrazy při rekreačním sportu.",
      same: ["Úrazy při rekreačním sportu pojištění kryje."],
      other: ["Pojištění se vztahuje na úrazy při sportu."],
    },
    {
      source: "Peníze z termínovaného vkladu lze vybrat až po uplynutí 12 měsíců.",
      same: ["Z termínovaného vkladu můžete peníze vybrat až po uplynutí jednoho roku."],
      other: [
        "Peníze z termínovaného vkladu lze vybrat kdykoli.",
        "Peníze z termínovaného vkladu lze vybrat do uplynutí 12 měsíců.",
      ],
    },
    {
      source: "A waiting period of three months applies to hospital stays; after accidents there is no waiting period.",
      same: ["There is no waiting period after accidents."],
      other: ["There is no waiting period.", "A waiting period of three months applies after accidents."],
    },
    {
      source: "Sportgeräte sind außerhalb der Wohnung nur gegen Diebstahl aus verschlossenen Räumen versichert.",
      same: [
        "Außerhalb der Wohnung sind Sportgeräte ausschließlich gegen Diebstahl aus verschlossenen Räumen gedeckt.",
      ],
      other: ["Sportgeräte sind außerhalb der Wohnung gegen Diebstahl versichert."],
    },
    {
      source: "Prowadzenie konta jest bezpłatne, jeżeli na konto wpływa co miesiąc co najmniej 2000 zł.",
      same: ["Jeżeli na konto wpływa co miesiąc przynajmniej 2000 zł, prowadzenie konta jest bezpłatne."],
      other: ["Prowadzenie konta jest bezpłatne.", "Prowadzenie konta jest zawsze bezpłatne."],
    },
  ],
};

/** Exclusions or prohibitions in the sources, and answers that claim permission or cover. */
const excluded: readonly (readonly [string, string])[] = [
  ["Pledging or assigning the policy is not permitted. You may suspend it.", "Yes, you can pledge the policy."],
  ["Lending the card to others is prohibited.", "You can lend the card to others."],
  ["Postoupení pohledávky ze smlouvy je vyloučeno.", "Pohledávku ze smlouvy můžete postoupit."],
  ["Prenájom vozidla tretím osobám je zakázaný.", "Vozidlo môžete prenajať tretím osobám."],
  ["Eine Abtretung der Ansprüche ist nicht gestattet.", "Die Ansprüche können Sie abtreten."],
  ["Cesja praw z umowy jest wykluczona.", "Prawa z umowy można przenieść, cesja jest możliwa."],
  ["Az igények engedményezése kizárt.", "Az igényeket engedményezheti."],
  [
    "Our glass cover extends to windows and doors. The cover does not apply to mirrors and aquariums.",
    "Our glass cover extends to windows and to mirrors.",
  ],
  [
    "Die Deckung umfasst Fenster und Türen. Spiegel und Aquarien sind nicht versichert.",
    "Die Deckung umfasst Fenster und Spiegel.",
  ],
  [
    "Pojištění se vztahuje na okna a dveře. Na zrcadla a akvária se pojištění nevztahuje.",
    "Pojištění se vztahuje na okna a na zrcadla.",
  ],
  [
    "Ubezpieczenie obejmuje okna i drzwi. Lustra i akwaria są wyłączone z ubezpieczenia.",
    "Ubezpieczenie obejmuje okna i lustra.",
  ],
  ["Udostępnianie karty innym osobom jest niedozwolone.", "Kartę można udostępniać innym osobom."],
  ["A kártya átadása másnak nem megengedett.", "A kártyát átadhatja másnak, az átadása lehetséges."],
  ["You can pay by card.", "You can't pay by card."],
];

test.each(excluded)("an answer that allows what is excluded or prohibited is not OK: %p", (source, answer) => {
  expect(stateOf(source, answer)).not.toBe("OK");
});

test.each([
  ["The agent must not hold the client's money.", "The agent isn't allowed to hold the client's money."],
  ["The agent may not accept premiums.", "The agent must not accept premiums."],
  ["You cannot cancel the contract early.", "You can’t cancel the contract early."],
  ["The tenant is not permitted to sublet the flat.", "The tenant must not sublet the flat."],
])("one prohibition in two wordings is not a contradiction: %p", (source, answer) => {
  expect(stateOf(source, answer)).not.toBe("FAIL");
  expect(stateOf(source, answer.replace(/isn't |may not |must not |can’t /, "may "))).not.toBe("OK");
});

test.each([
  ["Smlouvu nemusíte prodlužovat.", "Smlouvu nesmíte prodlužovat."],
  ["Zmluvu nemusíte predlžovať.", "Zmluvu nesmiete predlžovať."],
  ["You must not lend the card.", "You needn't lend the card."],
  ["You don't have to lend the card.", "You must not lend the card."],
  ["Den Vertrag müssen Sie nicht verlängern.", "Den Vertrag dürfen Sie nicht verlängern."],
  ["Nie musi Pan przedłużać umowy.", "Nie może Pan przedłużać umowy."],
  ["A szerződést nem kell meghosszabbítani.", "A szerződést nem lehet meghosszabbítani."],
  ["Subletting is prohibited without consent.", "Subletting is prohibited."],
  ["Postoupení smlouvy je bez souhlasu zakázáno.", "Postoupení smlouvy je zakázáno."],
  ["The fee does not exceed 30 euros.", "The fee exceeds 30 euros."],
])("a negated duty is not a prohibition, nor a conditional prohibition an absolute one: %p", (source, answer) => {
  expect(stateOf(source, answer)).not.toBe("OK");
});

test.each([
  ["Predložte výpis z účtu nie starší ako 30 dní.", "Predložte výpis z účtu najviac 30 dní starý."],
  ["Der Auszug ist nicht älter als 30 Tage.", "Der Auszug ist höchstens 30 Tage alt."],
  ["The statement is not older than 30 days.", "The statement is at most 30 days old."],
  ["Wyciąg nie starszy niż 30 dni.", "Wyciąg najwyżej 30 dni."],
])("a negated comparison is a bound, not a negation: %p", (source, answer) => {
  expect(stateOf(source, answer)).not.toBe("FAIL");
});

test("a negated comparison is not its opposite", () => {
  expect(stateOf("The statement is not older than 30 days.", "The statement is older than 30 days.")).not.toBe("OK");
  expect(stateOf("The fee is not more than 30 euros.", "The fee is at least 30 euros.")).not.toBe("OK");
});

test("a claim close to a sentence does not fail for its own words, however long the source is", () => {
  const source =
    "The policyholder may name the persons who receive the payout. You can change the address at any time by letter or through the mobile app. The change does not bind the agent. The policy is kept in the archive of the insurer for ten years after its end.";
  const answer = "You can change the address whenever you like, either by letter or through the mobile app.";
  expect(stateOf(source, answer, "How can I change my address?")).not.toBe("FAIL");
});

test("a claim made of two sentences does not fail for the amount of the other", () => {
  const source = "Přiložte: průkaz totožnosti, potvrzení o příjmu za 90 dní. Žádost vyřídíme do 7 pracovních dní.";
  const answer = "Žádost vyřídíme do 7 pracovních dní, přiložte potvrzení o příjmu a průkaz totožnosti.";
  expect(stateOf(source, answer)).not.toBe("FAIL");
});

describe.each(Object.entries(rules))("OK: %s", (_, pairs) => {
  test.each(pairs.flatMap(({ source, same }) => same.map((answer) => [answer, source])))("%p", (answer, source) => {
    expect(stateOf(source, answer)).toBe("OK");
  });

  test.each(pairs.flatMap(({ source, other }) => other.map((answer) => [answer, source])))(
    "not OK: %p",
    (answer, source) => {
      expect(stateOf(source, answer)).not.toBe("OK");
    },
  );
});

test.each([
  ["The limit is 500 000 CZK for each event.", "The limit is not 500 000 CZK."],
  ["The waiting period is 3 months.", "The waiting period isn't 3 months."],
  ["Spoluúčast je 500 Kč.", "Spoluúčast není 500 Kč."],
  ["Spoluúčasť je 500 eur.", "Spoluúčasť nie je 500 eur."],
  ["Der Selbstbehalt ist 500 EUR.", "Der Selbstbehalt ist nicht 500 EUR."],
  ["Udział własny wynosi 500 zł.", "Udział własny nie wynosi 500 zł."],
  ["Az önrész 500 euró.", "Az önrész nem 500 euró."],
])("a negated amount is another statement: %p", (source, answer) => {
  expect(stateOf(source, answer, "What?")).not.toBe("OK");
  expect(stateOf(answer, source, "What?")).not.toBe("OK");
  expect(stateOf(source, source, "What?")).toBe("OK");
});

test("a question is never OK", () => {
  expect(stateOf("The theft of a bicycle is covered.", "Is the theft of a bicycle covered?")).not.toBe("OK");
});
