import { key, phrases } from "./text.ts";

/**
 * Words by which menus, headings and links of company websites are told apart, in English, Czech, Slovak, German,
 * Polish and French. All are compared by `key`: lower case, without diacritics.
 */

const list = (text: string): string[] => text.split(/\s*[|\n]\s*/).filter(Boolean);
const startsWith = (text: string): RegExp => new RegExp(`^(?:${list(text).map(key).join("|")})(?: |$)`);

/** Heads what is offered. */
export const offer = phrases(
  list(`products|services|solutions|what we do|what we offer|practice areas|areas of practice|areas of expertise|expertise
    |capabilities|specialties|specialities|offerings|our offer|product range|product lines|product categories|categories|shop
    |treatments|courses|programs|programmes|coverages|lines of business|catalog|catalogue
    |produkty|sluzby|specializace|nase specializace|specializujeme se|reseni|nabidka|nabizime|co delame|co nabizime|sortiment|cinnost|cinnosti|zamereni|predmet cinnosti|nase prace
    |riesenia|ponuka|ponukame|co robime|cenova ponuka
    |produkte|leistungen|unsere leistungen|losungen|dienstleistungen|angebot|angebote|sortiment|geschaftsfelder|versicherungen|tatigkeitsfelder|rechtsgebiete|leistungsspektrum|schwerpunkte
    |uslugi|rozwiazania|oferta|asortyment|zakres uslug|ubezpieczenia|specjalizacje
    |produits|prestations|nos offres|nos services|nos produits|nos prestations|nos metiers|savoir faire|domaines d intervention|nos solutions|activites|nos activites|competences`),
);

/** Segments of a path below which the offer lies. */
export const offerPath =
  /\/(products?|services?|solutions?|practice-areas|areas-of-practice|what-we-do|expertise|produkty?|sluzby|reseni|riesenia|nabidka|ponuka|sortiment|produkte|leistungen|loesungen|losungen|angebote?|uslugi|oferta|rozwiazania|produits|prestations|nos-offres|category|kategorie|product-category|courses|treatments|insurance)[/_-]([^/?#]+)/i;

/** Pages worth a look besides the one that was asked for, the most telling first. */
export const pagesWorthALook = [
  { kind: "offer", pattern: offer, most: 2 },
  {
    kind: "about",
    pattern: phrases(
      list(
        "about|about us|company|who we are|o nas|o firme|o spolecnosti|o spolocnosti|uber uns|unternehmen|firma|a propos|qui sommes nous|entreprise|profil",
      ),
    ),
    most: 1,
  },
  {
    kind: "imprint",
    pattern: phrases(
      list(
        "imprint|legal notice|legal|impressum|mentions legales|obchodni podminky|obchodne podmienky|pravni informace|regulamin|nota prawna",
      ),
    ),
    most: 1,
  },
  {
    kind: "contact",
    pattern: phrases(list("contact|contact us|contacts|kontakt|kontakty|kontaktujte nas|nous contacter")),
    most: 1,
  },
] as const;

/** Entries that every site has, whatever it sells. */
const everywhere = new Set(
  list(`home|homepage|main|start|index|welcome|domu|uvod|uvodni stranka|hlavni stranka|domov|uvodna stranka|startseite|accueil|strona glowna
    |products|services|solutions|features|pricing|prices|price list|rates|tour|overview|products and services|services and products|shop|store|online shop|eshop|e shop|catalog|catalogue|sale|outlet|outlet center|special offers|offers|all|all products|all services|other|others|more|misc|general
    |produkty|sluzby|nase sluzby|nabidka|nabidka sluzeb|reseni|cenik|ceny|sortiment|akce|co delame|ponuka|riesenia|cennik|akcie
    |produkte|leistungen|unsere leistungen|losungen|dienstleistungen|angebot|angebote|preise|aktionen|oferta|uslugi|cennik|rozwiazania|promocje
    |produits|prestations|tarifs|nos services|nos produits|nos offres|offres|boutique
    |about|company|profile|company profile|history|mission|vision|values|philosophy|team|staff|people|management|leadership|attorneys|attorneys and staff|partners|associates|of counsel|clients|customers|references|portfolio|projects|our work|work|gallery|photos|photo gallery|galleries|video|videos|media|press|press room|press releases|newsroom|news|news and events|company news|latest news|blog|blogs|articles|events|calendar|awards|reviews|reviews and awards|testimonials|success stories|case studies|accolades|community|serving the community|affiliations|our companies|investors|investor relations
    |contact|contacts|location|locations|directions|map|find us|support|help|help center|faq|faqs|faq s|questions|glossary|resources|resource center|downloads|documents|forms|white papers|whitepapers|webinars|webcasts|datasheets|brochures|publications|library|tools|calculators|online calculators|useful links|links|local links|site map|sitemap|search|quick links|main menu|menu|navigation|more information|information|info|insurance tips|tips|claims|healthcare reform|industry stats|industries
    |login|log in|log out|logout|sign in|sign up|register|registration|my account|account|cart|basket|checkout|wishlist|order status|customer login|client login|website login|activate register|register login|live chat|newsletter|subscribe|rss|rss feed|feedback|survey|careers|career|jobs|job openings|vacancies|employment opportunities|work with us|internships
    |privacy|privacy policy|terms|terms of use|terms of service|terms and conditions|terms and policies|conditions|legal|legal notice|imprint|disclaimer|cookies|cookie policy|gdpr|accessibility|copyright|security|compliance policy|returns|shipping|delivery|delivery and returns|payment|payments|warranty|patents|patent portfolio
    |enquiry form|enquiry|inquiry|contact form|quote|quotes|free quote|get started|demo|free trial|trial|read more|learn more|more info|details|next|previous|prev|back|top|back to top|skip to content|close|open|yes|no|ok|show|hide|share|print|email|e mail|phone|fax|address|follow us|facebook|twitter|linkedin|youtube|instagram|google|pinterest|xing|vimeo|flickr|tiktok|whatsapp
    |english|deutsch|cesky|cestina|slovensky|slovencina|polski|francais|espanol|italiano|magyar|russian|en|de|cs|cz|sk|pl|fr|es|it|ru|language|languages
    |where to buy|dealers|distributors|resellers|reseller application|customer service|technical support|developers|developer api|api|integrations|documentation|docs|status|changelog|things to consider|postcode areas|property news|postcodes|enterprise|business|home and office|startups
    |o nas|o firme|o spolecnosti|kdo jsme|historie|nas tym|tym|lide|reference|realizace|nase prace|galerie|fotogalerie|fotky|aktuality|novinky|clanky|kontakt|kontakty|kontaktni formular|kde nas najdete|mapa stranek|mapa|poptavka|poptavkovy formular|ke stazeni|dokumenty|dotazy|caste dotazy|kariera|volna mista|prihlaseni|prihlasit|registrace|muj ucet|kosik|obchodni podminky|ochrana osobnich udaju|zasady ochrany osobnich udaju|napiste nam|odkazy|partneri|akreditace|certifikaty|podpora|vyhledavani|hledat|vice|vice informaci|cele menu|kalendar|media|pro media|blog
    |o spolocnosti|kto sme|historia|nas tim|ludia|referencie|galeria|fotogaleria|aktuality|clanky|mapa stranok|na stiahnutie|otazky|kariera|prihlasenie|registracia|moj ucet|obchodne podmienky|ochrana osobnych udajov|dopyt
    |uber uns|wir uber uns|unternehmen|team|geschichte|philosophie|referenzen|projekte|galerie|aktuelles|neuigkeiten|presse|termine|veranstaltungen|anfahrt|standorte|standort|anfrage|angebot anfordern|downloads|haufige fragen|karriere|stellenangebote|jobs|anmelden|registrieren|mein konto|warenkorb|impressum|datenschutz|datenschutzerklarung|agb|suche|service|partner|kunden|ratgeber|wissen|ansprechpartner|schaden melden|schadenmeldung
    |o firmie|historia|nasz zespol|zespol|realizacje|referencje|galeria|aktualnosci|artykuly|kariera|praca|logowanie|zaloguj|rejestracja|moje konto|koszyk|regulamin|polityka prywatnosci|rodo|mapa strony|do pobrania|pytania|szukaj|wiecej|partnerzy|klienci
    |a propos|qui sommes nous|l entreprise|entreprise|equipe|notre equipe|histoire|realisations|nos realisations|references|galerie|actualites|actus|evenements|plan d acces|contactez nous|nous contacter|devis|demande de devis|recrutement|carrieres|connexion|mon compte|panier|mentions legales|politique de confidentialite|cgv|plan du site|recherche|en savoir plus|partenaires|clients|temoignages|presse|faq`),
);

/** Links and headings that ask for something, or tell of the company itself. */
const calls =
  startsWith(`about|contact|why|how|what|when|where|who|meet|read|learn|view|see|click|get|request|book|sign|join|find|visit|follow|download|
  subscribe|search|call|email|ask|try|start|watch|discover|explore|browse|check|tell|register|apply|pay|buy|order|create|make|report|submit|send|schedule|
  our|your|my|we|i|us|you|is|are|it|this|these|the best|welcome|latest|recent|upcoming|popular|featured|top|more|all|other|new to|guest post|a propos|
  for|frequently|regulamin|polityka|wycofanie|instrukcja|zasady|obchodni podminky|ochrana osobnich|podminky|privacy|terms|datenschutz
  |mentions|politique|conditions|allgemeine|widerruf|take|give|let|use|go|come|log|skip|back|copyright|powered|site by|website by|web design by|designed by|join us|need|looking for|do you|can|copyright|made|motivate|engage|increase|activate|grow|boost|improve|visualize|communicate|evolve|announcing|introducing|used by|trusted by|as seen|recognized|congratulat|congratulates
  |domluvit|sjednat|dohodnout|nezavazne|zavolat|napsat|prejit|chci|mam zajem|proc|jak|kde|kdy|kdo|vice|cist|zjistit|zobrazit|objednat|kontaktujte|napiste|zavolejte|vitejte|nase|nas|vase|vas|o nas|o nasi|preco|ako|kedy|kto|viac|citat|zistit|objednajte|vitajte|vase|stahnout|poptat|rezervovat|podivejte|vyzkousejte|prihlaste
  |warum|wie|wo|wann|wer|mehr|jetzt|hier|unser|unsere|ihr|ihre|wir|uber|kontaktieren|erfahren|anfragen|willkommen|finden|rufen|zur|zum|alle
  |dlaczego|jak|gdzie|kiedy|kto|wiecej|czytaj|zobacz|zamow|nasze|nasz|twoj|twoje|witamy|poznaj|sprawdz|dowiedz|skontaktuj|umow
  |pourquoi|comment|ou|quand|qui|plus|lire|voir|decouvrir|decouvrez|nos|notre|votre|vos|nous|bienvenue|contactez|demander|demandez|tous|toutes|en savoir`);

/** Words that address the reader or speak of the speaker: a slogan, not a product. */
const addressed = phrases(
  list(`leading|best|award winning|number one|most trusted|welcome|your|you|our|ours|we|us|my|me|i|they|their|let s|don t|vas|vase|vasi|vasich|vam|vami|nas|nase|nasi|nasich|nam|my|jsme|jste|mame|mate|sme|ste|vasa|vasu|ihr|ihre|ihren|ihrem|ihrer|unser|unsere|unserem|unseren|wir|uns|euch|dich|twoj|twoje|twoja|nasz|nasze|nasza|wasz|jestesmy|votre|vos|notre|nos|nous|vous|etes|sommes
    |is|are|was|will|has|have|had|can|does|je|jsou|ist|sind|hat|jest|sa|est|sont`),
);

const parts = phrases(
  list(
    `blog|news|newsletter|testimonial|testimonials|cookie|cookies|gdpr|privacy|sitemap|login|careers|webinar|press|award|awards|articles|article|powered by|all rights reserved|photo|photos|events|faq|aktuality|novinky|blogu|datenschutz|stellenangebote|podcast|conference|summit|winner|bestseller|success story|case study|customer stories|checklist|glossary|selector`,
  ),
);

/** What a company sells, as nouns say it: stems, in all the languages. */
const offering =
  /(insur|loan|mortgage|financ|leas|credit|invest|softwar|platform|servic|design|consult|train|repair|install|rent|hire|mainten|system|solution|equipment|storage|hosting|develop|marketing|advertis|print|clean|account|bookkeep|tax|law|legal|litigat|plan|manag|engineer|construct|build|roof|floor|window|door|furnitur|machin|tool|accessor|food|cater|travel|tour|transport|logist|secur|recover|analy|monitor|therap|treatment|surgery|dent|surve|valuat|broker|advis|suppl|manufactur|pojist|poist|sluzb|staveb|stavby|projekt|poradenst|poradens|skolen|prodej|predaj|pronajem|prenajom|montaz|servis|oprav|vyrob|navrh|ucetnict|uctovnict|uver|hypotek|sporeni|penz|dum|domy|rekonstruk|dodavk|versicher|vorsorge|beratung|planung|reparatur|vermietung|schulung|entwicklung|verkauf|steuer|finanz|kredit|anlage|ubezpiecz|doradztw|szkolen|sprzedaz|wynajem|montaz|serwis|kredyt|ksiegow|budow|assuranc|conseil|formation|location|vente|reparation|renovation|epargne|prevoyance|retraite|mutuelle|batiment)/;

/** Whether a text is an entry that every site has, or a call to the reader, and names no product. */
export function isGeneric(text: string): boolean {
  const said = key(text);
  return everywhere.has(said) || calls.test(said) || said.search(addressed) >= 0 || said.search(parts) >= 0;
}

export const isOffering = (text: string): boolean => offering.test(key(text));

/** Whether a label heads the offer: `Our products & services`, not `Why companies choose our services`. */
export function headsOffer(label: string | null | undefined): boolean {
  const said = key(label ?? "");
  return said !== "" && said.split(" ").length <= 5 && said.search(offer) >= 0;
}
