import { type SearchLanguage, searchLanguages } from "../../../knowledge/language/languages.ts";

/** What the assistant says in its own words; everything else in an answer is quoted. */
interface Phrases {
  readonly noEvidence: (country: string) => string;
  readonly noAdvice: string;
  readonly weak: string;
  readonly samples: string;
  /** The cited documents are of several lines of insurance. */
  readonly lines: string;
  readonly unverified: string;
  readonly otherLanguage: (names: string) => string;
  /** `places` are the numbers of sources, such as `[1], [3]`. */
  readonly disagree: (places: string) => string;
  readonly carriersDiffer: (places: string) => string;
  readonly languages: Readonly<Record<SearchLanguage, string>>;
}

const en: Phrases = {
  noEvidence: (country) => `The imported documents for ${country} hold no evidence that answers this question.`,
  noAdvice: "I state no prices and recommend no insurer or product. An insurance intermediary can do that.",
  weak: "The documents answer this in part only; read the cited places before you rely on it.",
  samples: "Only sample documents of a fictitious carrier support this answer: no real contract says so.",
  lines: "The cited places are of different lines of insurance: name the product line for an answer to one of them.",
  unverified: "A cited note has not been checked against the text of the law.",
  otherLanguage: (names) => `The evidence is in ${names} and is quoted in the original.`,
  disagree: (places) => `The documents disagree: compare ${places}.`,
  carriersDiffer: (places) => `Carriers differ in this: compare ${places}.`,
  languages: { cs: "Czech", sk: "Slovak", de: "German", pl: "Polish", en: "English", fr: "French" },
};

const cs: Phrases = {
  noEvidence: (country) => `Nahrané dokumenty pro zemi ${country} neobsahují nic, co by na tuto otázku odpovídalo.`,
  noAdvice: "Neuvádím ceny a nedoporučuji pojišťovnu ani produkt. S tím pomůže pojišťovací zprostředkovatel.",
  weak: "Dokumenty na to odpovídají jen zčásti; než se na odpověď spolehnete, přečtěte si citovaná místa.",
  samples: "Odpověď dokládají jen ukázkové dokumenty fiktivní pojišťovny: žádná skutečná smlouva to neříká.",
  lines: "Citovaná místa patří k různým druhům pojištění: pro odpověď k jednomu z nich uveďte produktovou řadu.",
  unverified: "Citovaná poznámka nebyla porovnána s textem zákona.",
  otherLanguage: (names) => `Doklady jsou v jazyce: ${names}. Citují se v původním znění.`,
  disagree: (places) => `Dokumenty si odporují: porovnejte ${places}.`,
  carriersDiffer: (places) => `Pojišťovny se v tom liší: porovnejte ${places}.`,
  languages: { cs: "čeština", sk: "slovenština", de: "němčina", pl: "polština", en: "angličtina", fr: "francouzština" },
};

const sk: Phrases = {
  noEvidence: (country) => `Nahrané dokumenty pre krajinu ${country} neobsahujú nič, čo by na túto otázku odpovedalo.`,
  noAdvice: "Neuvádzam ceny a neodporúčam poisťovňu ani produkt. S tým pomôže sprostredkovateľ poistenia.",
  weak: "Dokumenty na to odpovedajú len sčasti; skôr než sa na odpoveď spoľahnete, prečítajte si citované miesta.",
  samples: "Odpoveď dokladajú len ukážkové dokumenty fiktívnej poisťovne: žiadna skutočná zmluva to nehovorí.",
  lines: "Citované miesta patria k rôznym druhom poistenia: pre odpoveď k jednému z nich uveďte produktový rad.",
  unverified: "Citovaná poznámka nebola porovnaná s textom zákona.",
  otherLanguage: (names) => `Doklady sú v jazyku: ${names}. Citujú sa v pôvodnom znení.`,
  disagree: (places) => `Dokumenty si odporujú: porovnajte ${places}.`,
  carriersDiffer: (places) => `Poisťovne sa v tom líšia: porovnajte ${places}.`,
  languages: { cs: "čeština", sk: "slovenčina", de: "nemčina", pl: "poľština", en: "angličtina", fr: "francúzština" },
};

const de: Phrases = {
  noEvidence: (country) => `Die importierten Dokumente für ${country} enthalten nichts, was diese Frage beantwortet.`,
  noAdvice: "Ich nenne keine Preise und empfehle weder Versicherer noch Produkte. Das kann ein Vermittler tun.",
  weak: "Die Dokumente beantworten das nur zum Teil; lesen Sie die zitierten Stellen, bevor Sie sich darauf verlassen.",
  samples: "Nur Musterdokumente eines erfundenen Versicherers stützen diese Antwort: kein echter Vertrag sagt das.",
  lines:
    "Die zitierten Stellen gehören zu verschiedenen Sparten: nennen Sie die Sparte für eine Antwort zu einer davon.",
  unverified: "Ein zitierter Hinweis wurde nicht mit dem Gesetzestext verglichen.",
  otherLanguage: (names) => `Die Belege sind in folgender Sprache: ${names}. Sie werden im Original zitiert.`,
  disagree: (places) => `Die Dokumente widersprechen sich: vergleichen Sie ${places}.`,
  carriersDiffer: (places) => `Die Versicherer unterscheiden sich darin: vergleichen Sie ${places}.`,
  languages: {
    cs: "Tschechisch",
    sk: "Slowakisch",
    de: "Deutsch",
    pl: "Polnisch",
    en: "Englisch",
    fr: "Französisch",
  },
};

const pl: Phrases = {
  noEvidence: (country) => `Wczytane dokumenty dla kraju ${country} nie zawierają niczego, co odpowiada na to pytanie.`,
  noAdvice: "Nie podaję cen i nie polecam zakładu ani produktu. Pomoże w tym pośrednik ubezpieczeniowy.",
  weak: "Dokumenty odpowiadają na to tylko częściowo; zanim na tym polegasz, przeczytaj cytowane miejsca.",
  samples: "Odpowiedź opiera się tylko na przykładowych dokumentach fikcyjnego ubezpieczyciela, nie na umowie.",
  lines: "Cytowane miejsca dotyczą różnych rodzajów ubezpieczeń: podaj rodzaj, aby otrzymać odpowiedź o jednym z nich.",
  unverified: "Cytowanej notatki nie porównano z tekstem ustawy.",
  otherLanguage: (names) => `Źródła są w języku: ${names}. Cytuje się je w oryginale.`,
  disagree: (places) => `Dokumenty są sprzeczne: porównaj ${places}.`,
  carriersDiffer: (places) => `Ubezpieczyciele różnią się w tym: porównaj ${places}.`,
  languages: { cs: "czeski", sk: "słowacki", de: "niemiecki", pl: "polski", en: "angielski", fr: "francuski" },
};

const fr: Phrases = {
  noEvidence: (country) => `Les documents importés pour ${country} ne contiennent rien qui réponde à cette question.`,
  noAdvice: "Je n'indique aucun prix et ne recommande ni assureur ni produit. Un intermédiaire peut le faire.",
  weak: "Les documents n'y répondent qu'en partie ; lisez les passages cités avant de vous y fier.",
  samples: "Seuls des documents d'exemple d'un assureur fictif appuient cette réponse : aucun vrai contrat ne le dit.",
  lines: "Les passages cités concernent différentes branches : indiquez la branche pour une réponse sur l'une d'elles.",
  unverified: "Une note citée n'a pas été comparée au texte de la loi.",
  otherLanguage: (names) => `Les preuves sont dans cette langue : ${names}. Elles sont citées dans l'original.`,
  disagree: (places) => `Les documents se contredisent : comparez ${places}.`,
  carriersDiffer: (places) => `Les assureurs diffèrent sur ce point : comparez ${places}.`,
  languages: { cs: "tchèque", sk: "slovaque", de: "allemand", pl: "polonais", en: "anglais", fr: "français" },
};

export const phrases: Readonly<Record<SearchLanguage, Phrases>> = { cs, sk, de, pl, en, fr };

/** The answer's language from what the caller asked for (`cs`, `cs-CZ`), or undefined: then it is the question's. */
export function askedLanguage(given: string | undefined): SearchLanguage | undefined {
  const primary = given?.trim().toLowerCase().split(/[-_]/)[0];
  return searchLanguages.find((language) => language === primary);
}
