/**
 * Small closed word classes for Czech, Slovak and English, folded (no diacritics). They are grammar, not data: what
 * negates, what quantifies, what hedges, which words exclude each other. Words of several languages share one table,
 * because the forms hardly collide and a source may be in another language than the claim.
 */

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that negate what follows. English contractions arrive as two tokens: `didn`, `t`. */
export const negators = set(`not no never none nobody nothing neither nor without cannot nt isnt arent wasnt werent dont
  doesnt didnt hasnt havent hadnt wont wouldnt cant couldnt shouldnt isn aren wasn weren don doesn didn hasn haven hadn
  won wouldn couldn shouldn lack lacks lacked fail fails failed refuse refuses refused deny denies denied nikdy nikdo
  nic nijak nikde zadny zadna zadne zadneho zadnou zadnych zadnym zadnemu bez ani nie nikto ziadny ziadna ziadne
  ziadneho ziadnu ziadnych nema neni nejsou nebyl nebyla nebylo nebyli nebyly nebude nebudou nesmi nelze nemuze nebol
  nebola nebolo neboli nebudu nesmie nemoze odmitl odmitla odmitli odmietol odmietla`);

/** Words that begin with ne- without being negated; the rest of a ne- word is looked up in the source as its opposite. */
export const falseNegations =
  set(`nebo nebot nedele nedeli nedelni nemecko nemec nemecky nemecka nemecke nemeckeho nemci
  nejen nejvice nejmene nejlepsi nemocnice nemocnici nemoc nemoci nez necht nechat nechal nechala nechali neco nekdo
  nekolik nektery nektere nekteri nekterych nekde nekdy nebe nebezpeci nepal network new news next near need never
  nearly neither negotiate nemocny nemocni nedaleko nedavno nedela nemocnica nech neskor nehoda nehody nehode nehodu
  nehod net nebezpecny negativni neutralni nemovitost nemovitosti nerost nepritel nervy nedostatek nehoda nehnutelnost`);

/** Beginnings of verbs that deny, refuse, stop or lose: negation by another word than `not`. */
export const rejections: readonly string[] = `odmit zamit zakaz zrus prestal prestav vyhnul vyhyb vyhnout postrad
  ignor zabran znemozn odvol popir popre nesouhlas selhal zanik zastav odstoup rezign ztrat ztrac strat zbavil vzdal
  refus reject denied deny denies denying banned prohibit cancel fail prevent avoid ignor oppos resign abandon
  withdr scrap halted suspended lost lose lack`.split(/\s+/);

/** What a claim says about how many or how often; one that the source does not say widens or narrows the claim. */
export const universals = set(`all every everyone everything each always entire whole any completely fully only solely
  exclusively vsechny vsechna vsichni vsech vsem vsemi veskery veskere kazdy kazda kazde kazdeho kazdou vzdy cely cela
  cele celeho celou pouze jen jedine jediny jedina jedine vyhradne zcela uplne nikdy vsetky vsetci vsetkych kazdej vzdy
  cely iba len vylucne never none`);

/** Hedges: what may be. A claim without them asserts more than a source with them. */
export const hedges = set(`may might could possibly perhaps probably likely reportedly allegedly expected should
  suggests suggested believed thought plans planned intends wants hopes consider considering possible unlikely muze
  mohl mohla mohlo mohli mohly mozna pravdepodobne zrejme asi snad patrne udajne pry mel mela melo planuje planuji chce
  chteji hodla zvazuje moze mohol mohlo mozno udajne vraj planuju chcu zvazuju by bych bychom`);

/** Superlatives and ordinals: of each, one thing has the place, so that a novel one is seldom a paraphrase. */
export const extremes = set(`first second third fourth fifth last final best worst most least highest lowest largest
  biggest smallest oldest youngest greatest prvni druhy druha druhe treti ctvrty ctvrta paty posledni nejvice nejmene
  nejlepsi nejhorsi nejvyssi nejnizsi nejvetsi nejmensi nejstarsi nejmladsi prvy prva prve druhy treti posledny
  najviac najmenej najlepsi najhorsi najvyssi najnizsi najvacsi najmensi`);

/** Approximators: a number after one of them may differ a little from the source's. */
export const approximators = set(`about around roughly approximately nearly almost some over than zhruba asi kolem
  priblizne okolo temer skoro pres vice nez asi priblizne okolo takmer vyse viac`);

/** The first person and the opinion: no document can support them. */
export const personal = set(`i my me myself mine im ive we our think guess love hope wonder ja muj moje mne myslim
  doufam rad rada nas nase moj mna dufam`);

// Stems or beginnings of words, one line a pair of opposites: `left|right`, alternatives by spaces.
const opposites = `
increas rise rose risen grow grew grown gain up higher|decreas declin fall fell fallen drop reduc shrink shrank down lower cut
more most|less fewer least
win won beat defeat victory|lose lost loss defeated
before|after
early earlier|late later
begin began start open launch|end finish stop clos cease
buy bought purchas acquir|sell sold sale
accept approv allow permit agree|reject refus ban forbid prohibit deny disagree
include cover insured|exclude uncovered uninsured
mandatory compulsory obligatory required|optional voluntary
same|different
with|without
guilty convict|innocent acquit
alive surviv|dead died die killed
male man men|female woman women
north|south
east|west
left|right
maximum most|minimum least
above over exceed|below under
free|paid charged
public|private
old oldest|young youngest new newest
high highest|low lowest
big large largest biggest|small smallest
support back|oppose against criticis
arrive arrival|depart departure leave left
vzrost rust stoup zvys narost zdraz vic vice vyssi prib|kles pokles sniz zlevn ubyl mene nizsi ubyv
vyhr zvitez porazil vitez|prohr podleh porazen
pred|po
zac zahaj otevr spust zacat|konc skonc ukonc zavr zastav prestal
koup nakoup|prod
schval povol prij souhlas dovol|zamit odmit zakaz nesouhlas
zahrn kryt|vyluk vylouc vyluc
povin|dobrovol nepovin
stejn|jin odlisn rozdil ruzn
vin odsou|nevin zprost
ziv prezil|mrtv zemre zahyn umr
muz|zen
sever|jih juh
vychod|zapad
maxim nejvyse nejvic|minim nejmen alespon
nad|pod
verejn|soukrom sukrom
star nejstar|mlad nejmlad nov
vysok nejvys|nizk nejniz
velk nejvet vetsi|mal nejmen mensi
podpor|krit odpor
prvn|posledn
dobr lep nejlep|spatn hor nejhor zl
rychl|pomal
bohat|chud
prij|odj odlet odjed
uvnitr|venku mimo
domac|zahran cizi
zlepsi zlepse|zhors
zvysi|znizi
narasta|klesa
zacin|konci
`;

interface Opposites {
  readonly left: readonly string[];
  readonly right: readonly string[];
}
const pairs: readonly Opposites[] = opposites
  .trim()
  .split("\n")
  .map((line) => {
    const [left = "", right = ""] = line.split("|");
    return { left: left.split(" "), right: right.split(" ") };
  });

// Short entries are whole words; longer ones are the beginning of a word with at most a few letters of ending.
const begins = (word: string, entry: string): boolean =>
  word === entry || (entry.length >= 4 && word.startsWith(entry) && word.length - entry.length <= 5);

const found = new Map<string, readonly string[]>();

/** The opposites of a folded word, as beginnings of words; empty for most. Alignment asks for each claim word. */
export function oppositesOf(word: string): readonly string[] {
  const known = found.get(word);
  if (known !== undefined) return known;
  const result: string[] = [];
  for (const { left, right } of pairs) {
    if (left.some((entry) => begins(word, entry))) result.push(...right);
    else if (right.some((entry) => begins(word, entry))) result.push(...left);
  }
  // Bounded, so that a long-lived server's memory does not follow its callers' vocabulary.
  if (found.size > 20_000) found.clear();
  found.set(word, result);
  return result;
}

/** Whether a folded word is one of the opposites that `oppositesOf` gave. */
export const isOpposite = (word: string, candidates: readonly string[]): boolean =>
  candidates.some((entry) => begins(word, entry));

const numbered = (text: string, from: number, step = 1): readonly (readonly [string, number])[] =>
  text
    .trim()
    .split(/\s*;\s*/)
    .flatMap((forms, place) => forms.split(" ").map((form) => [form, from + place * step] as const));

/** Number words from two up (one is also a pronoun and an article). */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...numbered(
    `two dva dve dvou dvema dvaja dvoch; three tri trech trem tremi troch; four ctyri ctyr ctyrech styri styroch;
    five pet peti pat piati piatich; six sest sesti siesti siestich; seven sedm sedmi sedem siedmich;
    eight osm osmi osem osmich; nine devet deviti devat deviatich; ten deset deseti desat desiatich;
    eleven jedenact jedenacti jedenast; twelve dvanact dvanacti dvanast; thirteen trinact trinacti trinast;
    fourteen ctrnact ctrnacti strnast; fifteen patnact patnacti patnast; sixteen sestnact sestnacti sestnast;
    seventeen sedmnact sedmnacti sedemnast; eighteen osmnact osmnacti osemnast;
    nineteen devatenact devatenacti devatnast; twenty dvacet dvaceti dvadsat`,
    2,
  ),
  ...numbered(
    `thirty tricet triceti tridsat; forty ctyricet ctyriceti styridsat; fifty padesat padesati patdesiat;
    sixty sedesat sedesati sestdesiat; seventy sedmdesat sedmdesati sedemdesiat; eighty osmdesat osmdesati osemdesiat;
    ninety devadesat devadesati devatdesiat; hundred sto stovka`,
    30,
    10,
  ),
]);

/** Words that multiply the number before them. */
export const multipliers: ReadonlyMap<string, number> = new Map([
  ...["thousand", "thousands", "tisic", "tisice", "tisicu", "tisici", "tis", "tisicov", "k"].map(
    (w) => [w, 1e3] as const,
  ),
  ...[
    "million",
    "millions",
    "milion",
    "miliony",
    "milionu",
    "milionum",
    "miliony",
    "mil",
    "mio",
    "m",
    "mn",
    "miliona",
    "milionov",
  ].map((w) => [w, 1e6] as const),
  ...["billion", "billions", "bn", "miliarda", "miliardy", "miliard", "miliardu", "mld", "miliardach"].map(
    (w) => [w, 1e9] as const,
  ),
]);

/** Month names by their beginnings, folded; index 0 is January. */
export const months: readonly string[][] = [
  ["january", "jan", "leden", "ledna", "lednu", "januar", "januara", "januari"],
  ["february", "feb", "unor", "unora", "unoru", "februar", "februara", "februari"],
  ["march", "mar", "brezen", "brezna", "breznu", "marec", "marca", "marci"],
  ["april", "apr", "duben", "dubna", "dubnu", "aprila", "aprili"],
  ["kveten", "kvetna", "kvetnu", "maj", "maja", "maji"],
  ["june", "jun", "cerven", "cervna", "cervnu", "juna", "juni"],
  ["july", "jul", "cervenec", "cervence", "cervenci", "jula", "juli"],
  ["august", "aug", "srpen", "srpna", "srpnu", "augusta", "auguste"],
  ["september", "sept", "sep", "zari", "septembra", "septembri"],
  ["october", "oct", "rijen", "rijna", "rijnu", "oktober", "oktobra", "oktobri"],
  ["november", "nov", "listopad", "listopadu", "novembra", "novembri"],
  ["december", "dec", "prosinec", "prosince", "prosinci", "decembra", "decembri"],
];

/** Weekdays, folded; index 0 is Monday. */
export const weekdays: readonly string[][] = [
  ["monday", "pondeli", "pondelok", "pondelka"],
  ["tuesday", "utery", "utorok", "utorka"],
  ["wednesday", "streda", "stredu", "stredy", "stredni"],
  ["thursday", "ctvrtek", "ctvrtka", "stvrtok", "stvrtka"],
  ["friday", "patek", "patku", "piatok", "piatka"],
  ["saturday", "sobota", "sobotu", "soboty", "sobotni"],
  ["sunday", "nedele", "nedeli", "nedelni", "nedela", "nedelu"],
];
