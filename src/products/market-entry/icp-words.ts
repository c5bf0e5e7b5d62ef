/** What ideal customer profiles call things, folded, in English, German, Czech and Slovak. A star ends a beginning of a word. */

/** Sorts of sellers by the words for them: those of the ICP and those of a row's sector are looked up alike. */
export const sectorWords = [
  "broker\tbroker*|insurance broker*|versicherungsmakler*|makler*|pojistovac* makler*",
  "tied_agent\ttied agent*|tied*|ausschliesslichkeit*|einfirmenvertreter*|vazan* zastupc*|viazan* agent*",
  "agent\tagent*|multi agent*|mehrfachagent*|mehrfachvertreter*|versicherungsvertreter*|zastupc*",
  "adviser\tinsurance adviser*|fee based adviser*|independent financial adviser*|versicherungsberater*|honorarberater*|adviser",
  "pool\tpool*|broker pool*|maklerpool*",
  "bank\tbank*|sparkasse*|sporiteln*",
  "insurer\tinsurer*|versicherer|insurance compan*|pojistovn*|poistovn*",
].join("\n");

/** What excludes the words after it, up to the end of the clause. */
export const negations: ReadonlySet<string> = new Set(
  "no not without except excluding never keine kein keinen ohne nicht ausser ne nikoli bez krome okrem nie ziadne zadne zadni".split(
    " ",
  ),
);

/** What begins a part of a sentence that an exclusion does not reach. */
export const clauseStarts: ReadonlySet<string> = new Set(
  "with in from who that which but having mit aus die der sondern s se v ve z ktere kteri ktori ktore ale".split(" "),
);

/** Words that say nothing about a firm. */
export const emptyWords: ReadonlySet<string> = new Set(
  "the and with that have from who which their they them are for this into about more than least most over under between other where people persons employees staff advisers advisors adviser advisor firms firm companies company business businesses ideal customer profile target targets und oder mit die der das den dem ein eine einen fur von bis mehr als unter uber mindestens hochstens firmen firma unternehmen berater mitarbeiter personen nebo jsou ktere kteri pro firmy spolecnosti alespon nejmene osob lidi zamestnancu poradci poradce alebo ktori ktore spolocnosti should must located based active clients insurance versicherung versicherungen pojisteni poistenie small medium sized large independent selling market markets".split(
    " ",
  ),
);

const people =
  "(?:people|persons|employees|staff|advisers?|advisors?|brokers?|agents?|mitarbeiter\\w*|personen|beschaftigte\\w*|lidi|osob\\w*|zamestnanc\\w*|poradc\\w*|makler\\w*|ludi)";
const number = "(\\d{1,6})";

export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** A way to state a number, and what its groups come to. */
export interface NumberPattern {
  readonly pattern: RegExp;
  readonly bounds: (first: number, second: number) => Bounds;
}

/** How many work there. On folded text. */
export const sizePatterns: readonly NumberPattern[] = [
  {
    pattern: new RegExp(`${number} ?(?:-|–|to|bis|az|and|und) ?${number} ${people}`),
    bounds: (from, to) => ({ from, to }),
  },
  {
    pattern: new RegExp(`(?:more than|over|mehr als|uber|vice nez|nad|viac ako) ${number} ${people}`),
    bounds: (from) => ({ from: from + 1, to: null }),
  },
  {
    pattern: new RegExp(`(?:at least|from|mindestens|ab|alespon|nejmene|aspon) ${number} ${people}`),
    bounds: (from) => ({ from, to: null }),
  },
  {
    pattern: new RegExp(`(?:fewer than|less than|under|weniger als|unter|mene nez|pod|menej ako) ${number} ${people}`),
    bounds: (to) => ({ from: null, to: to - 1 }),
  },
  {
    pattern: new RegExp(`(?:at most|up to|hochstens|bis zu|nejvyse|nejvice|najviac|do) ${number} ${people}`),
    bounds: (to) => ({ from: null, to }),
  },
];

/** The year of foundation. On folded text. */
export const foundedPatterns: readonly NumberPattern[] = [
  {
    pattern: /(?:founded|established|gegrundet|zalozen\w{0,4}) (?:after|nach|po) (\d{4})/,
    bounds: (year) => ({ from: year + 1, to: null }),
  },
  {
    pattern: /(?:founded|established|gegrundet|zalozen\w{0,4}) (?:since|in or after|seit|od) (\d{4})/,
    bounds: (year) => ({ from: year, to: null }),
  },
  {
    pattern: /(?:founded|established|gegrundet|zalozen\w{0,4}) (?:before|vor|pred) (\d{4})/,
    bounds: (year) => ({ from: null, to: year - 1 }),
  },
];

/** Parts of Germany by their codes. */
export const regionWords = [
  "DE-BW\tbaden wurttemberg|bw",
  "DE-BY\tbavaria*|bayern|bayerisch*|bavorsk*",
  "DE-BE\tberlin*",
  "DE-BB\tbrandenburg*|branibor*",
  "DE-HB\tbremen*|bremy",
  "DE-HH\thamburg*|hamburk*",
  "DE-HE\thesse|hessen|hessian|hesensk*",
  "DE-MV\tmecklenburg*|meklenbur*",
  "DE-NI\tlower saxony|niedersachsen|dolni* sasko",
  "DE-NW\tnorth rhine westphalia|nordrhein westfalen|nrw|severni* poryni*",
  "DE-RP\trhineland palatinate|rheinland pfalz|poryni falc",
  "DE-SL\tsaarland*|sarsko",
  "DE-SN\tsaxony|sachsen|sasko",
  "DE-ST\tsaxony anhalt|sachsen anhalt|sasko anhaltsko",
  "DE-SH\tschleswig holstein|slesvicko holstynsko",
  "DE-TH\tthuringia*|thuringen|durynsk*",
].join("\n");

/** Cities whose names differ between languages, folded, by the name that rows have. */
export const cityWords = [
  "munchen\tmunich|mnichov*|munchen|muenchen",
  "koln\tcologne|kolin nad rynem|koln|koeln",
  "nurnberg\tnuremberg|norimber*|nurnberg|nuernberg",
  "hannover\thanover|hannover",
  "frankfurt am main\tfrankfurt",
].join("\n");
