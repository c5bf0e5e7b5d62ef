import type { AnswerLanguage } from "../../datasets/question-language.ts";

/** The sentences of summaries. They have no digits of their own, only those of figures and of the question's words. */
export interface Texts {
  readonly highest: (country: string) => string;
  readonly lowest: (country: string) => string;
  readonly changed: (
    country: string,
    from: string,
    then: string,
    to: string,
    now: string,
    percent: string | null,
  ) => string;
  readonly missing: (title: string, countries: string) => string;
  readonly otherPeriod: (title: string, countries: string, period: string | null) => string;
  readonly noYear: (title: string, countries: string, year: string) => string;
  readonly vintages: string;
  readonly units: string;
  readonly breaks: string;
  readonly estimated: string;
  readonly unsure: string;
  readonly disputed: string;
  readonly noTopic: (topic: string) => string;
  readonly national: (regions: string) => string;
  readonly nothing: string;
  readonly notPerHead: (title: string) => string;
  /** Without countries, it is true of all of them. */
  readonly noChange: (title: string, countries: string) => string;
  readonly otherUnit: (unit: string, title: string, countries: string) => string;
  readonly peopleBy: (words: string) => string;
  readonly unread: (words: string) => string;
  /** What is denied: without any other answer, and with one. */
  readonly denied: (words: string) => string;
  readonly leftOut: (words: string) => string;
  readonly notComputed: string;
}

const change = (percent: string | null): string => (percent === null ? "" : ` (${percent} %)`);

/** Names countries, if something is true only of them. */
const only = (countries: string): string => (countries === "" ? "" : `: ${countries}`);

export const texts: Readonly<Record<AnswerLanguage, Texts>> = {
  en: {
    highest: (country) => `Highest: ${country}.`,
    lowest: (country) => `Lowest: ${country}.`,
    changed: (country, from, then, to, now, percent) =>
      `${country}: from ${then} (${from}) to ${now} (${to})${change(percent)}.`,
    missing: (title, countries) => `No figure is held for ${title}: ${countries}.`,
    otherPeriod: (title, countries, period) =>
      `No figure for the period asked for${period ? ` (${period})` : ""}, ${title}: ${countries}.`,
    noYear: (title, countries, year) => `No figure for ${year}, ${title}: ${countries}.`,
    vintages: "The figures are of different periods and can't be compared without care.",
    units: "The figures are in different units or by different publishers.",
    breaks: "The series has a break, or another definition: see the flags.",
    estimated: "Some figures are estimates: see the flags.",
    unsure: "Some figures are not reliable: see the flags.",
    disputed: "Publishers of the same reliability give clearly different figures: the label is a step lower.",
    noTopic: (topic) => `The data hold nothing about: ${topic}.`,
    national: (regions) => `Every figure is a whole country's: there is none for ${regions}.`,
    nothing: "The data hold no indicator that this question names. Ask eu_coverage what they hold.",
    notPerHead: (title) => `There is no figure per head of: ${title}.`,
    noChange: (title, countries) => `No earlier figure is held to count a change from, ${title}${only(countries)}.`,
    otherUnit: (unit, title, countries) => `No figure in this unit (${unit}), ${title}${only(countries)}.`,
    peopleBy: (words) => `The data hold how many people live in a country, and no number of people by: ${words}.`,
    unread: (words) => `The figures take no account of these words of the question: ${words}.`,
    denied: (words) => `No figure is held for what the question denies or leaves out: “${words}”.`,
    leftOut: (words) => `The question denies or leaves out, and the figures do not answer: “${words}”.`,
    notComputed: "Sums, averages, differences and shares are not computed: the figures are as they were published.",
  },
  cs: {
    highest: (country) => `Nejvyšší: ${country}.`,
    lowest: (country) => `Nejnižší: ${country}.`,
    changed: (country, from, then, to, now, percent) =>
      `${country}: z ${then} (${from}) na ${now} (${to})${change(percent)}.`,
    missing: (title, countries) => `Data neobsahují hodnotu ukazatele ${title}: ${countries}.`,
    otherPeriod: (title, countries, period) =>
      `Pro požadované období${period ? ` (${period})` : ""} hodnota není, ${title}: ${countries}.`,
    noYear: (title, countries, year) => `Pro rok ${year} hodnota není, ${title}: ${countries}.`,
    vintages: "Hodnoty jsou z různých období a bez opatrnosti je nelze srovnávat.",
    units: "Hodnoty jsou v různých jednotkách nebo od různých vydavatelů.",
    breaks: "Řada má zlom nebo jinou definici: viz příznaky.",
    estimated: "Některé hodnoty jsou odhady: viz příznaky.",
    unsure: "Některé hodnoty nejsou spolehlivé: viz příznaky.",
    disputed: "Stejně spolehliví vydavatelé uvádějí zřetelně jiné hodnoty: spolehlivost je o stupeň nižší.",
    noTopic: (topic) => `Data neobsahují nic o tématu: ${topic}.`,
    national: (regions) => `Všechny hodnoty jsou za celé země, pro tyto části není žádná: ${regions}.`,
    nothing: "Data neobsahují ukazatel, na který se otázka ptá. Co obsahují, řekne eu_coverage.",
    notPerHead: (title) => `Hodnota na obyvatele není k dispozici: ${title}.`,
    noChange: (title, countries) => `Není dřívější hodnota, od níž by se počítala změna, ${title}${only(countries)}.`,
    otherUnit: (unit, title, countries) => `V této jednotce (${unit}) hodnota není, ${title}${only(countries)}.`,
    peopleBy: (words) => `Data obsahují počet obyvatel země, ale žádný počet lidí podle: ${words}.`,
    unread: (words) => `Hodnoty neberou ohled na tato slova otázky: ${words}.`,
    denied: (words) => `Pro to, co otázka popírá nebo vynechává, data hodnotu neobsahují: „${words}“.`,
    leftOut: (words) => `Otázka popírá nebo vynechává, a hodnoty na to neodpovídají: „${words}“.`,
    notComputed: "Součty, průměry, rozdíly a podíly se nepočítají: hodnoty jsou takové, jak byly zveřejněny.",
  },
  sk: {
    highest: (country) => `Najvyššia hodnota: ${country}.`,
    lowest: (country) => `Najnižšia hodnota: ${country}.`,
    changed: (country, from, then, to, now, percent) =>
      `${country}: z ${then} (${from}) na ${now} (${to})${change(percent)}.`,
    missing: (title, countries) => `Údaje neobsahujú hodnotu ukazovateľa ${title}: ${countries}.`,
    otherPeriod: (title, countries, period) =>
      `Pre požadované obdobie${period ? ` (${period})` : ""} hodnota nie je, ${title}: ${countries}.`,
    noYear: (title, countries, year) => `Pre rok ${year} hodnota nie je, ${title}: ${countries}.`,
    vintages: "Hodnoty sú z rôznych období a bez opatrnosti sa nedajú porovnávať.",
    units: "Hodnoty sú v rôznych jednotkách alebo od rôznych vydavateľov.",
    breaks: "Rad má zlom alebo inú definíciu: pozri príznaky.",
    estimated: "Niektoré hodnoty sú odhady: pozri príznaky.",
    unsure: "Niektoré hodnoty nie sú spoľahlivé: pozri príznaky.",
    disputed: "Rovnako spoľahliví vydavatelia uvádzajú zreteľne iné hodnoty: spoľahlivosť je o stupeň nižšia.",
    noTopic: (topic) => `Údaje neobsahujú nič o téme: ${topic}.`,
    national: (regions) => `Všetky hodnoty sú za celé krajiny, pre tieto časti nie je žiadna: ${regions}.`,
    nothing: "Údaje neobsahujú ukazovateľ, na ktorý sa otázka pýta. Čo obsahujú, povie eu_coverage.",
    notPerHead: (title) => `Hodnota na obyvateľa nie je k dispozícii: ${title}.`,
    noChange: (title, countries) => `Nie je skoršia hodnota, od ktorej by sa rátala zmena, ${title}${only(countries)}.`,
    otherUnit: (unit, title, countries) => `V tejto jednotke (${unit}) hodnota nie je, ${title}${only(countries)}.`,
    peopleBy: (words) => `Údaje obsahujú počet obyvateľov krajiny, ale žiadny počet ľudí podľa: ${words}.`,
    unread: (words) => `Hodnoty neberú ohľad na tieto slová otázky: ${words}.`,
    denied: (words) => `Pre to, čo otázka popiera alebo vynecháva, údaje hodnotu neobsahujú: „${words}“.`,
    leftOut: (words) => `Otázka popiera alebo vynecháva, a hodnoty na to neodpovedajú: „${words}“.`,
    notComputed: "Súčty, priemery, rozdiely a podiely sa nepočítajú: hodnoty sú také, ako boli zverejnené.",
  },
  de: {
    highest: (country) => `Am höchsten: ${country}.`,
    lowest: (country) => `Am niedrigsten: ${country}.`,
    changed: (country, from, then, to, now, percent) =>
      `${country}: von ${then} (${from}) auf ${now} (${to})${change(percent)}.`,
    missing: (title, countries) => `Keine Angabe zu ${title}: ${countries}.`,
    otherPeriod: (title, countries, period) =>
      `Keine Angabe für den gefragten Zeitraum${period ? ` (${period})` : ""}, ${title}: ${countries}.`,
    noYear: (title, countries, year) => `Keine Angabe für ${year}, ${title}: ${countries}.`,
    vintages: "Die Angaben sind aus verschiedenen Zeiträumen und nur mit Vorsicht vergleichbar.",
    units: "Die Angaben haben verschiedene Einheiten oder Herausgeber.",
    breaks: "Die Reihe hat einen Bruch oder eine andere Definition: siehe die Kennzeichen.",
    estimated: "Einige Angaben sind Schätzungen: siehe die Kennzeichen.",
    unsure: "Einige Angaben sind nicht verlässlich: siehe die Kennzeichen.",
    disputed:
      "Gleich verlässliche Herausgeber geben deutlich andere Zahlen an: Die Verlässlichkeit ist eine Stufe niedriger.",
    noTopic: (topic) => `Die Daten enthalten nichts über: ${topic}.`,
    national: (regions) => `Alle Angaben gelten für ganze Länder, zu diesen Teilen gibt es keine: ${regions}.`,
    nothing: "Die Daten enthalten keine Kennzahl, die diese Frage nennt. eu_coverage sagt, was sie enthalten.",
    notPerHead: (title) => `Es gibt keine Angabe pro Kopf zu: ${title}.`,
    noChange: (title, countries) =>
      `Keine frühere Angabe, von der aus sich eine Veränderung zählen ließe, ${title}${only(countries)}.`,
    otherUnit: (unit, title, countries) => `Keine Angabe in dieser Einheit (${unit}), ${title}${only(countries)}.`,
    peopleBy: (words) =>
      `Die Daten enthalten die Einwohnerzahl eines Landes, aber keine Zahl der Menschen nach: ${words}.`,
    unread: (words) => `Diese Wörter der Frage berücksichtigen die Angaben nicht: ${words}.`,
    denied: (words) => `Zu dem, was die Frage verneint oder ausnimmt, gibt es keine Angabe: „${words}“.`,
    leftOut: (words) => `Die Frage verneint oder nimmt aus, und die Angaben beantworten es nicht: „${words}“.`,
    notComputed:
      "Summen, Durchschnitte, Differenzen und Anteile werden nicht berechnet: Die Zahlen sind wie veröffentlicht.",
  },
};
