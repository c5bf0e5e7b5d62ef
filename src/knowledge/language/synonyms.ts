/**
 * Words that say nearly the same, folded and cut to their beginnings, Czech, Slovak and English in one group, so that a
 * Czech claim can be checked against an English document too. General news and insurance vocabulary, written by hand.
 * An entry of fewer than four letters, or ending in `.`, is a whole word.
 */
const groups = `
rekl. rict uved sdel informov oznam prohlas vyjadril konstatov povedal said. say. says. told tell announc stat state report inform
vlad kabinet government cabinet
premier ministersky
prezident hlava president
duchod penz dochod pension retire
auto. auta. aut. vuz. vozu. vozy. vozid automobil vozidl car. cars vehicle automobile
letad letoun lietad aircraft plane airplane
koup nakoup zakoup porid kup. nakup ziskat ziska prevz kupit buy. bought purchas acquir
prod odprod prodej predaj sell. sold. sale. sales
zemr umr zahyn zahy. skon umrt smrt usmr mrtv obet podleh zabit zomr died. die. dies. death dead. kill killed fatal
zran poran uraz injur wound hurt
firm spolecnost podnik koncern spolocnost compan firm corporation business enterprise
policie policist policej polic police officer
soud. soudn tribunal sud. sudny court judge tribunal
zahaj zac zacal zacin spust start begin began begun launch
skonc konc ukonc zaver end. ended ends finish conclu
zvys vzrost stoup narust narost rust. rost vzestup zdraz rast zvysen increas rise. rose. risen grow grew growth
sniz kles pokles zlevn ubyt redukc znizen decreas declin fall. fell. fallen drop reduc cut.
vyhr zvitez vitez triumf porazil uspel vitaz win. won. wins winner victor beat defeat
prohr podleh porazk lose. lost. loss defeat
postav vybud stavb vystav build built construct
opravi oprav rekonstrukc renov modern repair renovat reconstruct
pres vice viac prevys more. over. exceed
asi zhrub priblizn kolem okolo temer skoro takmer about. around roughly approximately nearly almost
dit. dite. deti. det. detsk potom child children kid kids
lid. lide lidi obyvatel obcan osob clovek ludia ludi people person resident citizen inhabitant
mest. mesto radnic magistrat obec. obce. town. city municipal
skol vyuk vzdel school educat
lekar doktor lekarsk doctor physician medic
nemocnic klinik hospital clinic
ucitel pedagog teacher
penize penez financ penaz money fund financ
castk sumu suma sum. amount total
cena cen. ceny cenu price cost
oceneni cenu vyznamen award prize honour honor
kancelar pracovn office
souper konkuren protivnik rival oppon competitor
vyberov tendr konkurs soutez tender competition
kongres sjezd konferenc zased schuz summit jedna congress conference meeting
sejd setk schaz potk meet. met. meeting
dohod smlouv kontrakt zmluv agree deal treaty contract
utok utoc napad attack assault
valk valec konflikt boj. bojov vojn war. wars conflict fight
armad vojak vojensk vojsk army military soldier troops
zakon norma predpis legislat law. laws legislation act.
navrh navrhn plan planuj zamer hodla chyst propos plan intend
schval povol odsouhlas souhlas approv allow permit agree
zakaz zamez ban. banned prohibit forbid
odmit zamit refus reject declin
kritiz kriti vyhrad criti
volb volebn hlasov volby volieb election vote ballot
poslan parlament snemovn parliament mp. lawmaker
stran hnut politick party
oprav zmen uprav change alter modif
zverejn uverejn publik vydal publish release
novin denik list. tisk. casopis dennik newspaper daily paper press magazine
televiz tv. television
internet web webov online stranky website internet online
turist navstevnik tourist visitor guest
cest. cesta cestov trip journey travel
vlak zelezni drah train rail railway
nadrazi stanic station
silnic dalnic road highway motorway
havari nehod srazk bouracka accident crash collision
povod zaplav velk. voda. potopa flood
pozar ohen hor. poziar fire blaze
vichric boure krupobit vietor storm wind hail
hra. hral hraje hrac zapas utkan duel zapas game match play player
tym. tymu muzstv klub team club squad side
gol branka bran goal score
trener kouc coach manager trainer
sportovec atlet sportsman athlete
zpev zpevak spevak hudebn muzik sing singer music musician
film snimek movie film picture
reziser director filmmaker
kniha knih roman book novel
herec hereck actor actress star
vedec badat vyzkum studi vedc scientist research study
zvire zivocich zvierat animal creature
matk otec rodic mother father parent mum mom dad
manzel manzelk zena. muz. husband wife spouse married marry
syn. dcer son. daughter
bratr sourozen sestr dvojc brat. brother sister sibling twin
nejvets nejvyss rekord najvacs largest biggest highest record
mal. maly drobn small little tiny
velk vysok obrovsk big. large huge great
stary starsi old. elder
nov novy novinka new. recent
rychl quick fast rapid
zac pocat early start
mesic mesac month
tyden tydn tyzd week
rok. roku roce let. lety leta rocn letos year annual
dnes dneska today
zeme stat. statu stat. krajin country nation
svet svetov global mezinarod world global international
zlocin trest krimin crime criminal offence offense
vezn vezen basa prison jail
zatk zadrz zajm arrest detain
obvin zalob stih accus charge charged alleg
dluh uver pujc pozic debt loan credit
dan. dane dani danov tax taxes
mzd plat. platy vydel salary wage pay. paid
prac zamestn job. jobs work employ
zamestnanc pracovnik delnik worker employee staff
neprace nezamest unemploy jobless
stavk protest demonst strike protest
pomoc podpor prispev help support aid assist
dotac subvenc dotaci grant subsid
nemoc chorob onemocn ill. illness disease sick
lek. lecb liek medicin drug treat treatment
jidlo potrav jidl pokrm food meal eat
voda vodn water
rek. reka rieka river
more ocean sea ocean
les. lesy forest wood
hor. hora kopec mountain hill
dum. domu domy budov dom. house home building
byt. byty apartment flat
majetek vlastn patri majit property own. owns owner belong
pozem parcel land plot
elektr energ proud electric energy power
plyn gas
dul. doly tezb mine mining
banka bank
trh. trhu market
obchod prodejn shop store trade
vyrob produk vyrab produc manufactur make. made
vyvoz export
dovoz import
narod naroz rod born birth
pohreb pohrb burial funeral bury
chran ochran zachran protect save. rescue conserv
nebezpec ohroz hroz riziko risk danger threat
chce prej chteji want wish hope
potreb nutn must need require necessary
muze moci schopn can. able capable
dulez vyznam klicov important significant key major
jednoduch snadn lehk easy simple
tezk obtiz slozit hard difficult complex
pojist pojisten poisten poist insur assur
pojistovn poistovn insurer underwriter
pojistne poistne premium
pojistnik poistnik policyholder
pojisten insured
skod skodn ujm poskoz poskod damage harm loss
plneni plneniu nahrad odskod vyplat payout indemn compensat benefit reimburs
spoluucast fransiz excess deductible
limit maxim strop nejvys limit maximum cap ceiling
vyluk vylouc vylucen exclu except
kryt kryj vztahuj zahrn hrad cover includ
vypov vypoved ukonc zrus terminat cancel notice
lhut termin dob. doba obdob deadline period term time
rizik peril hazard risk
krad kradez odciz vloup theft steal stolen burglar
odpoved zodpov liab responsib
domacnost household contents
cestovn travel
uroz urazov accident
smlouv pojistk policy contract
hlas ohlas oznam nahlas report notify notif
`;

interface Entry {
  readonly text: string;
  readonly whole: boolean;
  readonly group: number;
}

// An entry is a beginning: what may follow is an ending, not another word.
const longestEnding = 4;

/** Reads groups, a line each, and answers the look-up: a folded word's groups by number, none for most words. */
export function createSynonyms(lines: string): (form: string) => readonly number[] {
  const byBeginning = new Map<string, Entry[]>();
  for (const [group, line] of lines.trim().split("\n").entries())
    for (const word of line.split(" ")) {
      const text = word.replace(".", "");
      const entry = { text, whole: text !== word || text.length < 4, group };
      const known = byBeginning.get(text.slice(0, 2));
      if (known === undefined) byBeginning.set(text.slice(0, 2), [entry]);
      else known.push(entry);
    }
  return (form) => {
    const entries = byBeginning.get(form.slice(0, 2)) ?? [];
    return entries
      .filter(
        ({ text, whole }) =>
          form === text || (!whole && form.startsWith(text) && form.length - text.length <= longestEnding),
      )
      .map(({ group }) => group);
  };
}

/** The synonym groups of a folded word, by number; empty for most. The source index asks for each distinct word. */
export const synonymGroupsOf = createSynonyms(groups);
