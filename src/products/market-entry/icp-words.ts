/** The vocabulary of ideal customer profiles, folded, in English, German, Czech and Slovak. A star marks a prefix. */

/** Words for types of sellers, used both for the ICP and for a row's sector. */
export const sectorWords = [
  "broker\tbroker*|insurance broker*|versicherungsmakler*|makler*|pojistovac* makler*",
  "tied_agent\ttied agent*|tied*|ausschliesslichkeit*|einfirmenvertreter*|vazan* zastupc*|viazan* agent*",
  "agent\tagent*|multi agent*|mehrfachagent*|mehrfachvertreter*|versicherungsvertreter*|vertreter*|zastupc*",
  "adviser\tinsurance adviser*|fee based adviser*|independent financial adviser*|versicherungsberater*|honorarberater*|adviser",
  "pool\tpool*|broker pool*|maklerpool*",
  "bank\tbank*|volksbank*|raiffeisenbank*|sparkasse*|sporiteln*",
  "insurer\tinsurer*|versicherer|insurance compan*|pojistovn*|poistovn*",
].join("\n");

/** Words that exclude what follows them, up to the end of the clause. */
export const negations: ReadonlySet<string> = new Set(
  "no not without except excluding never keine kein keinen keiner ohne nicht ausser ausgenommen ne nikoli bez krome okrem nie ziadne ziadni zadne zadni zadny mimo vyjma".split(
    " ",
  ),
);

/** Words that start a part of a sentence that an exclusion does not cover. */
export const clauseStarts: ReadonlySet<string> = new Set(
  "with in on near from who that which but only just having mit aus im auf bei die der sondern nur s se v ve vo na z ze so ktere kteri ktori ktore ale len jen".split(
    " ",
  ),
);

/** Words that say nothing about a firm. */
export const emptyWords: ReadonlySet<string> = new Set(
  [
    "the a an and or with that have has having from who whose which what their they them there it its is are was were be been being for this these those into onto in on at to of by as about more than least most over under between other where also only just all any each every such like can could will would should must may we our us you your i me my need needs want wants look looking find seek search searching target targets please ideal typical customer customers client clients profile icp both either up",
    "people persons person employees employee staff advisers advisors adviser advisor firms firm companies company business businesses based located active operating work works working sell sells selling insurance market markets",
    "und oder mit die der das den dem des ein eine einen einer eines fur von vom zu zum zur bei im in an am auf aus als auch nur alle sowie bis mehr uber unter mindestens hochstens wir suchen suche gesucht sind ist sein haben hat es sie ihre ihren welche welcher sollen soll bitte firmen firma unternehmen betrieb betriebe berater mitarbeiter personen kunden kunde zielgruppe versicherung versicherungen tatig ansassig sitz",
    "a i o u v ve vo s se so z ze zo k ke ku na do od po pri pro pre za nebo alebo ale aj tez take tiez jen iba len pouze je jsou su byt by bylo ktery ktera ktere kteri ktory ktora ktore ktori jejich ich hledame hladame chceme potrebujeme firmy firem firmy firiem spolecnosti spolecnost spolocnosti spolocnost podniky alespon nejmene aspon osob lidi ludi zamestnancu zamestnancov poradci poradce poradcovia poradca poradcu klienti klient zakaznik zakaznici cilovy cielovy pojistovaci pojistovacich poistovaci poistovacie poistovacich pojisteni poistenie pusobici posobiaci sidlem sidlom sidlici trh trhu",
  ].flatMap((words) => words.split(" ")),
);

/** Comparatives after a negation: "no more than". */
export const comparatives: ReadonlySet<string> = new Set(
  "more fewer less later earlier over above mehr weniger spater vice mene viac menej".split(" "),
);

/** Number words. */
export const numberWords: ReadonlyMap<string, string> = new Map(
  [
    ["2", "two zwei dva dve dvoma dvema"],
    ["3", "three drei tri tremi"],
    ["4", "four vier ctyri ctyrmi styri"],
    ["5", "five funf pet peti pat piatich"],
    ["6", "six sechs sest sesti"],
    ["7", "seven sieben sedm sedem"],
    ["8", "eight acht osm osem"],
    ["9", "nine neun devet devat"],
    ["10", "ten zehn deset desiti desat desiatich"],
    ["12", "twelve zwolf dvanact dvanacti dvanast"],
    ["15", "fifteen funfzehn patnact patnacti patnast"],
    ["20", "twenty zwanzig dvacet dvaceti dvadsat"],
    ["30", "thirty dreissig tricet tricat"],
    ["40", "forty vierzig ctyricet styridsat"],
    ["50", "fifty funfzig padesat patdesiat"],
    ["100", "hundred hundert sto"],
  ].flatMap(([digits = "", words = ""]) => words.split(" ").map((word): [string, string] => [word, digits])),
);

const phrases = (text: string): string[] => text.split("|");

/** Comparators before or after a number. Folded; a star matches any ending. */
export const comparators = {
  above: phrases(
    "more than|over|above|greater than|bigger than|larger than|after|mehr als|uber|nach|vice nez|nad|vyse nez|viac ako|viac nez|po|>",
  ),
  least: phrases(
    "at least|no fewer than|no less than|not fewer than|not less than|from|min|minimum|minimum of|minimal|since|in or after|from at least|mindestens|nicht weniger als|ab|seit|wenigstens|alespon|nejmene|minimalne|ne mene nez|od|aspon|najmenej|nie menej ako|nie menej nez|≥|> =",
  ),
  below: phrases(
    "fewer than|less than|under|below|smaller than|before|weniger als|unter|vor|mene nez|pod|pred|menej ako|menej nez|<",
  ),
  most: phrases(
    "at most|up to|max|maximum|maximum of|maximal|no more than|not more than|until|by|hochstens|bis zu|bis|nicht mehr als|nejvyse|nejvice|maximalne|ne vice nez|do|najviac|nanajvys|nie viac ako|nie viac nez|≤|< =",
  ),
  near: phrases(
    "about|around|approximately|approx|roughly|nearly|circa|ca|etwa|ungefahr|rund|asi|kolem|okolo|zhruba|priblizne|cca|~",
  ),
  exact: phrases("exactly|between|genau|zwischen|von|presne|prave|mezi|medzi"),
  orMore: phrases(
    "+|or more|and more|or later|and later|or over|plus|oder mehr|und mehr|oder spater|nebo vice|a vice|nebo pozdeji|a pozdeji|alebo viac|a viac|alebo neskor",
  ),
  orLess: phrases(
    "or fewer|or less|and fewer|and less|or earlier|oder weniger|und weniger|oder fruher|nebo mene|a mene|nebo drive|alebo menej|a menej|alebo skor",
  ),
} as const;

/** Words and signs that join two numbers. */
export const joiners = phrases("-|–|—|to|and|but|bis|und|az|do|a");

/** Words for people who work somewhere, in any role. */
export const staff = phrases(
  "people|persons|person|employees|employee|staff|workers|heads|ftes|fte|team members|colleagues|mitarbeiter*|personen|beschaftigte*|angestellte*|leute*|kopfe*|vollzeitstellen|lidi|lide|lidmi|osob*|zamestnanc*|pracovnik*|clenu|ludi|ludia|ludmi|zamestnancami|clenov",
);
/** Adjectives between the number and the word. */
export const staffTitles = phrases(
  "full time|full - time|part time|part - time|licensed|permanent|own|fest angestellte*|festangestellte*|eigene*|feste*|kmenovy*|vlastni*|vlastny*|stal*|intern*",
);
export const units = {
  /** Words for people who sell. */
  sellers: phrases(
    "advisers|advisors|brokers|agents|berater*|makler*|vermittler*|vertreter*|poradc*|makler*|agent*|zastupc*",
  ),
  /** Words that say that a firm has them. */
  has: phrases("with|having|of|mit|s|se|so"),
  /** Words that are themselves a headcount. */
  counts: phrases(
    "headcount|team|teams|team size|size|mitarbeiterzahl|belegschaft|teamgrosse|grosse|pocet zamestnancu|pocet zamestnancov|velikost|velkost|tym|tim",
  ),
  links: phrases("of|is|are|count|number|size|zahl|anzahl|von|je|=|-"),
} as const;

/** Words for a firm's founding, and the fillers between them and the year. */
export const years = {
  founded: phrases(
    "founded|established|est|incorporated|formed|started|set up|foundation|founding year|gegrundet*|gegr|grundung|grundungsjahr|bestehend*|zalozen*|vznikl*|vzniknut*|existing|existuj*|operating",
  ),
  fillers: phrases(
    "in|the|year|years|im|dem|den|jahr|jahre|jahren|roce|roku|rokem|rokom|rok|letech|rokoch|v|of|a|und|and",
  ),
} as const;

/** Words that introduce a place. */
export const placeWords: ReadonlySet<string> = new Set(
  "in on near within from around throughout across im auf aus bei nahe rund v ve vo na u z ze zo kolem okolo pobliz blizko".split(
    " ",
  ),
);
/** Words that may come between these and the name. */
export const placeFillers: ReadonlySet<string> = new Set(
  "the city town village area region island county district state greater der den dem die das stadt raum grossraum region landkreis kreis insel land bundesland umkreis von of okrese okres kraji kraj meste mesto mestecku ostrove ostrov obci obec oblasti okoli okolia mesta".split(
    " ",
  ),
);
/** Prefixes of words after which "in" or "on" introduces a subject rather than a place. */
export const subjectWords = [
  ..."focus special spezial experience erfahr expert interest invest engag concentrat konzentr zamer skusen zkusen orient".split(
    " ",
  ),
  ..."ausgerichtet fokus trained qualified certified leader leading strong schwerpunkt kompeten advice beratung".split(
    " ",
  ),
];
/** Prefixes of words that are not places; with a leading star, suffixes. German capitalises every noun. */
export const notPlaces = [
  ..."english englisch anglick anglictin slovencin cestin nemcin life motor property casualty health travel cyber pet home commercial".split(
    " ",
  ),
  ..."business liability pension retail corporate private industrial insurance monday tuesday wednesday thursday friday".split(
    " ",
  ),
  ..."januar februar marz april mai juni juli august september oktober november dezember january february march june july october december".split(
    " ",
  ),
  ..."privat gewerbe firmen familien haupt neben umfeld sinne rahmen zusammenarbeit netzwerk verbund internet markt eigen".split(
    " ",
  ),
  ..."*ung *ungen *heit *keit *schaft *schaften *tion *besitz *bereich *bereichen *geschaft *segment *form *grosse *kunden *familie".split(
    " ",
  ),
  ..."*handel *gewerbe *sparte *sparten *leben *jahr *jahren *hand *branche *linie *basis *betrieb *betrieben *vertrieb *netz".split(
    " ",
  ),
];
/** Inflectional endings of place names: "v Erfurtu", "Kölner". */
export const placeEndings = ["u", "e", "a", "y", "i", "em", "om", "ech", "och", "ami", "er", "ern", "s"];

/** German Länder by code. */
export const regionWords = [
  "DE-BW\tbaden wurttemberg*|baden*|wurttemberg*|bw|badensk* wurttembersk*",
  "DE-BY\tbavaria*|bayern*|bayerisch*|bavor*",
  "DE-BE\tberlin*",
  "DE-BB\tbrandenburg*|branibor*|brandenburs*",
  "DE-HB\tbremen*|bremy|bremach",
  "DE-HH\thamburg*|hamburk*",
  "DE-HE\thesse|hessen*|hessian|hesens*",
  "DE-MV\tmecklenburg vorpommern|mecklenburg*|meklenbur*|vorpommern",
  "DE-NI\tlower saxony|niedersachs*|doln* sask*",
  "DE-NW\tnorth rhine westphalia|nordrhein westfal*|nordrhein*|north rhine|westphalia*|westfal*|nrw|severn* poryn* vestfalsk*|severn* poryn*",
  "DE-RP\trhineland palatinate|rheinland pfalz|rheinland*|rhineland*|palatinate|pfalz|poryn* falc*|falc*",
  "DE-SL\tsaarland*|sarsk*",
  "DE-SN\tsaxony|sachsen|sachsisch*|sask*",
  "DE-ST\tsaxony anhalt|sachsen anhalt*|anhalt|sask* anhaltsk*",
  "DE-SH\tschleswig holstein*|schleswig*|holstein*|slesvick* holstynsk*|slezvick* holstajnsk*|slesvick*|slezvick*",
  "DE-TH\tthuringia*|thuring*|duryn*|durin*",
].join("\n");

/** Cities whose names differ between languages, folded, by the name that rows use. */
export const cityWords = [
  "munchen\tmunich|mnichov*|munchen*|muenchen",
  "koln\tcologne|kolin* nad rynem|kolin* nad rynom|koln*|koeln",
  "nurnberg\tnuremberg|norimber*|nurnberg*|nuernberg",
  "hannover\thanover|hannover*",
  "frankfurt am main\tfrankfurt*",
  "dresden\tdrazdan*|dresden*",
  "leipzig\tlipsk*|leipzig*",
  "mainz\tmohuc*|mainz*",
  "regensburg\trezn*|ratisbon|regensburg*",
  "passau\tpasov*|passau*",
  "augsburg\taugspurk*|augsburk*|augsburg*",
  "aachen\tcach*|aachen*|aix la chapelle",
  "potsdam\tpostupim*|potsdam*",
  "braunschweig\tbrunswick|brunsvik*|braunschweig*",
  "zwickau\tcvikov*|zwickau*",
  "gorlitz\tzhorel*|gorlitz*",
  "bautzen\tbudysin*|bautzen*",
  "chemnitz\tsask* kamenic*|chemnitz*",
  "konstanz\tconstance|kostnic*|konstanz*",
  "trier\ttrevir*|treves|trier*",
].join("\n");
