import { fold } from "../../platform/text.ts";
import { type SearchLanguage, searchLanguages } from "../retrieval/languages.ts";
import { insuranceGroupsOf } from "./insurance-synonyms.ts";

/**
 * What insurance calls a thing in each of the six languages, so that a question in one finds documents in another. A line
 * a concept, in the order cs, sk, de, pl, en, fr; written by hand. It finds passages; it translates nothing for a reader.
 */
const lines = `
povodeň záplava / povodeň záplava / Überschwemmung Hochwasser / powódź zalanie / flood / inondation
vichřice krupobití / víchrica krupobitie / Sturm Hagel / wichura grad / storm hail / tempête grêle
požár / požiar / Brand Feuer / pożar / fire / incendie
vodovodní škoda / vodovod voda / Leitungswasser / zalanie kanalizacja / escape of water pipe / dégât des eaux
krádež odcizení vloupání / krádež odcudzenie vlámanie / Diebstahl Einbruch / kradzież włamanie / theft burglary / vol cambriolage
vandalismus / vandalizmus / Vandalismus / wandalizm dewastacja / vandalism / vandalisme
ztráta / strata / Verlust Abhandenkommen / utrata zgubienie / loss / perte
klíče / kľúče / Schlüssel / klucze / keys / clés
škoda poškození / škoda poškodenie / Schaden Beschädigung / szkoda uszkodzenie / damage / dommage sinistre
plnění náhrada / plnenie náhrada / Leistung Entschädigung / świadczenie odszkodowanie / benefit compensation / indemnisation prestation
vztahuje kryje hradí / vzťahuje kryje hradí / versichert gedeckt Versicherungsschutz / obejmuje ochrona / covered insured / couvert garanti
výluka nevztahuje / výluka nevzťahuje / Ausschluss ausgeschlossen / wyłączenie wyłączone / exclusion excluded / exclusion exclu
limit částka / limit suma / Versicherungssumme Höchstbetrag / limit suma / limit sum / plafond montant
spoluúčast / spoluúčasť / Selbstbeteiligung Selbstbehalt / udział franszyza / excess deductible / franchise
čekací doba / čakacia doba / Wartezeit / karencja / waiting period / délai carence
pojistné / poistné / Prämie Beitrag / składka / premium / prime cotisation
nezaplacení prodlení upomínka / nezaplatenie omeškanie / Zahlungsverzug Mahnung / niezapłacenie zaległa / unpaid arrears / impayé retard
výpověď odstoupení zánik / výpoveď odstúpenie zánik / Kündigung Widerruf / wypowiedzenie odstąpienie / cancellation termination withdrawal / résiliation
lhůta doba / lehota doba / Frist Dauer / termin okres / period deadline / délai durée
oznámit nahlásit / oznámiť nahlásiť / anzeigen melden / zgłosić zawiadomić / notify report / déclarer
šetření / prešetrovanie / Erhebungen Prüfung / postępowanie / investigation / instruction
vozidlo / vozidlo / Fahrzeug Kraftfahrzeug / pojazd / vehicle car / véhicule
řidič / vodič / Fahrer / kierowca / driver / conducteur
alkohol / alkohol / Alkohol / alkohol / alcohol / alcool
nehoda / nehoda / Unfall / wypadek kolizja / accident / accident
zvíře pes / zviera pes / Tier Hund / zwierzę pies / animal dog / animal chien
dítě / dieťa / Kind / dziecko / child / enfant
domácnost byt nemovitost / domácnosť byt nehnuteľnosť / Hausrat Wohnung Gebäude / mieszkanie dom / household home contents / habitation logement
zahraničí území / zahraničie územie / Ausland Geltungsbereich / zagranica / abroad territory / étranger
cestovní cesta / cestovné cesta / Reise / podróż / travel trip / voyage
zavazadla / batožina / Gepäck / bagaż / baggage / bagages
léčení léčebné / liečenie liečebné / Heilbehandlung / leczenie / medical treatment / soins médicaux
úraz / úraz / Unfall Verletzung / uraz / injury / blessure
smrt / smrť / Tod / śmierć / death / décès
odpovědnost / zodpovednosť / Haftpflicht Haftung / odpowiedzialność / liability / responsabilité
úmysl nedbalost / úmysel nedbanlivosť / Vorsatz Fahrlässigkeit / umyślnie niedbalstwo / intent negligence / faute négligence
povinnosti / povinnosti / Obliegenheiten Pflichten / obowiązki / duties obligations / obligations
stížnost / sťažnosť / Beschwerde / reklamacja / complaint / réclamation
dohled / dohľad / Aufsicht / nadzór / supervision / contrôle
uzavření smlouvy / uzavretie zmluvy / Abschluss Vertrag / zawarcie umowy / conclusion contract / conclusion contrat
promlčení / premlčanie / Verjährung / przedawnienie / limitation / prescription
obmyšlený / oprávnená osoba / Bezugsberechtigter / uposażony / beneficiary / bénéficiaire
sklo / sklo / Glas Scheibe / szyby / glass windscreen / bris glace
asistence / asistencia / Assistance Abschleppen / assistance holowanie / assistance breakdown / assistance
storno / storno / Rücktritt Storno / rezygnacja / cancellation trip / annulation
odkupné / odkupná / Rückkaufswert / wykup / surrender / rachat
sport lyžování / šport lyžovanie / Sport / sport narciarstwo / sport skiing / sport ski
záloha / preddavok / Vorschuss / zaliczka / advance / acompte
zprostředkovatel / sprostredkovateľ / Vermittler / pośrednik / intermediary / intermédiaire
zelená karta / zelená karta / Grüne Karte / zielona karta / green card / carte verte
garanční fond / garančný fond / Entschädigungsfonds / fundusz gwarancyjny / guarantee fund / fonds garantie
`;

interface Concept {
  readonly groups: ReadonlySet<number>;
  readonly names: Readonly<Record<SearchLanguage, string>>;
}

const concepts: readonly Concept[] = lines
  .trim()
  .split("\n")
  .map((line) => {
    const columns = line.split(" / ");
    const groups = new Set(
      columns.flatMap((names) => names.split(" ").flatMap((name) => insuranceGroupsOf(fold(name)))),
    );
    const names = Object.fromEntries(searchLanguages.map((language, at) => [language, columns[at] ?? ""]));
    return { groups, names: names as Record<SearchLanguage, string> };
  });

/** Words to search documents of another language for, instead of a folded word; empty where there is no concept of it. */
export function namesIn(language: SearchLanguage, form: string): string {
  const groups = insuranceGroupsOf(form);
  const found = concepts.filter((concept) => groups.some((group) => concept.groups.has(group)));
  return found.map(({ names }) => names[language]).join(" ");
}
