import type { AnswerLanguage } from "../../datasets/question-language.ts";

/** The sentences of summaries. They have no digits of their own, only those of figures and of the question's words. */
interface Texts {
  readonly whole: string;
  readonly withheld: (title: string) => string;
  readonly suppressed: (groups: string) => string;
  readonly none: (titles: string) => string;
  readonly quoted: (words: string) => string;
  readonly notHeld: (words: string) => string;
  readonly ofCountries: (countries: string) => string;
  readonly holds: (titles: string) => string;
  readonly unused: (words: string) => string;
  readonly notComputed: string;
  readonly otherPeriod: (title: string) => string;
  readonly noYear: (title: string, year: string) => string;
  readonly noEarlier: (title: string) => string;
  readonly noGroups: (title: string) => string;
  readonly persons: string;
  readonly crossed: string;
}

export const texts: Readonly<Record<AnswerLanguage, Texts>> = {
  en: {
    whole: "in all",
    withheld: (title) => `${title}: withheld, since the groups are too small or of unknown size.`,
    suppressed: (groups) => `Withheld so that no small group can be worked out: ${groups}.`,
    none: (titles) => `This dataset holds no such figure. It holds: ${titles}.`,
    quoted: (words) => `“${words}”`,
    notHeld: (words) => `This dataset has no figure for: ${words}.`,
    ofCountries: (countries) => `Its figures are of: ${countries}.`,
    holds: (titles) => `It holds: ${titles}.`,
    unused: (words) => `Not understood, and not taken into account: ${words}.`,
    notComputed:
      "Sums, shares, ratios, averages, differences and conversions are not computed: the figures are as they were published.",
    otherPeriod: (title) => `${title}: no figure for the period asked for.`,
    noYear: (title, year) => `${title}: no figure for ${year}.`,
    noEarlier: (title) => `${title}: no earlier figure is held to count a change from.`,
    noGroups: (title) => `${title}: the dataset has no groups of it.`,
    persons: "No persons or firms are named: there are aggregates alone.",
    crossed: "Groups are shown by one dimension at a time.",
  },
  cs: {
    whole: "celkem",
    withheld: (title) => `${title}: neuvádí se, skupiny jsou příliš malé nebo neznámé velikosti.`,
    suppressed: (groups) => `Neuvádí se, aby nešlo dopočítat žádnou malou skupinu: ${groups}.`,
    none: (titles) => `Tato sada takovou hodnotu neobsahuje. Obsahuje: ${titles}.`,
    quoted: (words) => `„${words}“`,
    notHeld: (words) => `Tato sada nemá hodnotu pro: ${words}.`,
    ofCountries: (countries) => `Její hodnoty jsou za: ${countries}.`,
    holds: (titles) => `Obsahuje: ${titles}.`,
    unused: (words) => `Nerozpoznáno a nezohledněno: ${words}.`,
    notComputed:
      "Součty, podíly, poměry, průměry, rozdíly a převody se nepočítají: hodnoty jsou takové, jak byly zveřejněny.",
    otherPeriod: (title) => `${title}: pro požadované období hodnota není.`,
    noYear: (title, year) => `${title}: pro rok ${year} hodnota není.`,
    noEarlier: (title) => `${title}: není dřívější hodnota, od níž by se počítala změna.`,
    noGroups: (title) => `${title}: sada ji nečlení na skupiny.`,
    persons: "Osoby ani firmy se neuvádějí: jsou zde jen souhrny.",
    crossed: "Skupiny se ukazují vždy jen podle jednoho hlediska.",
  },
  sk: {
    whole: "spolu",
    withheld: (title) => `${title}: neuvádza sa, skupiny sú príliš malé alebo neznámej veľkosti.`,
    suppressed: (groups) => `Neuvádza sa, aby sa nedala dopočítať žiadna malá skupina: ${groups}.`,
    none: (titles) => `Táto sada takú hodnotu neobsahuje. Obsahuje: ${titles}.`,
    quoted: (words) => `„${words}“`,
    notHeld: (words) => `Táto sada nemá hodnotu pre: ${words}.`,
    ofCountries: (countries) => `Jej hodnoty sú za: ${countries}.`,
    holds: (titles) => `Obsahuje: ${titles}.`,
    unused: (words) => `Nerozpoznané a nezohľadnené: ${words}.`,
    notComputed:
      "Súčty, podiely, pomery, priemery, rozdiely a prepočty sa nepočítajú: hodnoty sú také, ako boli zverejnené.",
    otherPeriod: (title) => `${title}: pre požadované obdobie hodnota nie je.`,
    noYear: (title, year) => `${title}: pre rok ${year} hodnota nie je.`,
    noEarlier: (title) => `${title}: nie je skoršia hodnota, od ktorej by sa rátala zmena.`,
    noGroups: (title) => `${title}: sada ju nečlení na skupiny.`,
    persons: "Osoby ani firmy sa neuvádzajú: sú tu len súhrny.",
    crossed: "Skupiny sa ukazujú vždy len podľa jedného hľadiska.",
  },
  de: {
    whole: "insgesamt",
    withheld: (title) => `${title}: keine Angabe, da die Gruppen zu klein oder von unbekannter Größe sind.`,
    suppressed: (groups) => `Keine Angabe, damit sich keine kleine Gruppe errechnen lässt: ${groups}.`,
    none: (titles) => `Dieser Datensatz enthält keine solche Angabe. Er enthält: ${titles}.`,
    quoted: (words) => `„${words}“`,
    notHeld: (words) => `Dieser Datensatz enthält keine Angabe zu: ${words}.`,
    ofCountries: (countries) => `Seine Angaben gelten für: ${countries}.`,
    holds: (titles) => `Er enthält: ${titles}.`,
    unused: (words) => `Nicht verstanden und nicht berücksichtigt: ${words}.`,
    notComputed:
      "Summen, Anteile, Verhältnisse, Durchschnitte, Differenzen und Umrechnungen werden nicht berechnet: Die Zahlen sind wie veröffentlicht.",
    otherPeriod: (title) => `${title}: keine Angabe für den gefragten Zeitraum.`,
    noYear: (title, year) => `${title}: keine Angabe für ${year}.`,
    noEarlier: (title) => `${title}: keine frühere Angabe, von der aus sich eine Veränderung zählen ließe.`,
    noGroups: (title) => `${title}: der Datensatz gliedert sie nicht in Gruppen.`,
    persons: "Personen und Firmen werden nicht genannt: Es gibt nur Summen.",
    crossed: "Gruppen werden immer nur nach einem Merkmal gezeigt.",
  },
};
