/** The sentences of summaries. They hold no digits: those of a summary are figures. */
interface Texts {
  readonly whole: string;
  readonly withheld: (title: string) => string;
  readonly suppressed: (groups: string) => string;
  readonly none: (titles: string) => string;
  readonly otherPeriod: (title: string) => string;
  readonly noGroups: (title: string) => string;
  readonly persons: string;
  readonly crossed: string;
}

export const texts: Readonly<Record<"en" | "cs", Texts>> = {
  en: {
    whole: "in all",
    withheld: (title) => `${title}: withheld, since the groups are too small or of unknown size.`,
    suppressed: (groups) => `Withheld so that no small group can be worked out: ${groups}.`,
    none: (titles) => `This dataset holds no such figure. It holds: ${titles}.`,
    otherPeriod: (title) => `${title}: no figure for the period asked for.`,
    noGroups: (title) => `${title}: the dataset has no groups of it.`,
    persons: "No persons or firms are named: there are aggregates alone.",
    crossed: "Groups are shown by one dimension at a time.",
  },
  cs: {
    whole: "celkem",
    withheld: (title) => `${title}: neuvádí se, skupiny jsou příliš malé nebo neznámé velikosti.`,
    suppressed: (groups) => `Neuvádí se, aby nešlo dopočítat žádnou malou skupinu: ${groups}.`,
    none: (titles) => `Tato sada takovou hodnotu neobsahuje. Obsahuje: ${titles}.`,
    otherPeriod: (title) => `${title}: pro požadované období hodnota není.`,
    noGroups: (title) => `${title}: sada ji nečlení na skupiny.`,
    persons: "Osoby ani firmy se neuvádějí: jsou zde jen souhrny.",
    crossed: "Skupiny se ukazují vždy jen podle jednoho hlediska.",
  },
};
