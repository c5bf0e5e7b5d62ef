import { createSynonyms } from "./synonyms.ts";

/**
 * What people and policies call the same thing, in the six languages of the corpus: an owner asks about a flood, the
 * terms speak of inundation. Written by hand, folded, in the form of `synonyms.ts`. Retrieval and the assistant use it;
 * the faithfulness check does not, for it must not take one word for the other.
 */
const groups = `
povoden zaplav vylit zatopen inundac potop flood inundat uberschwemm hochwasser powodz zalan inondation crue
vichr vetrn orkan boure burk krupobit kroup vichor vietor bur. sturm storm hagel windstorm hail wichur grad. huragan tempet grele ouragan
pozar ohen ohne poziar vzplanut feuer brand. fire blaze ogien incendie feu.
vytop voda vodovod potrub leitungswasser rohrbruch escape pipe burst zalani kanaliz degat fuite canalisation
kradez krade vloupa odciz ukrad loupez vlamani odcudz lupez diebstahl einbruch gestohl raub entwend theft burglar stolen steal robber kradziez wlaman skradz rabunek vol. vole. cambriolage vykrad vykraden okrad zcizen ukradn
vandal vandaliz sachbeschadig mutwill malicious dewastac vandalis
ztrat ztrac strat stratil verlust verlor abhandenkomm lost. loss. lose. utrat zgub perte perdu
klic klice klicu kluc kluce schlussel key. keys klucz klucze cle. cles clef
poskozen poskodi skod skoda skody skodu ujm poskoden schaden beschad damage harm szkod uszkodz dommage sinistre
plneni uhrad vyplat nahrad hrad. hradi preplat leistung entschadig ersatz erstatt payment benefit indemnit reimburs compens pay. paid pays wyplat swiadczen odszkodow zwrot indemnis prestation rembours
kryje kryt kryti pokryt vztah vztahuj zahrnu pojisten hrad zahrn versichert deckung gedeckt mitversich umfasst cover covered insured includ obejmuj objet ochron ubezpieczon couvr garanti
vyluk vylouc nevztah nehrad nekryj vylucen nekryt ausschlu ausgeschl exclu excluded except wylaczen wylacz exclusion
limit maximal nejvys maximalna deckungssumm versicherungssumm hochst sublimit maximum sumy suma gwarancyjn plafond montant
spoluuc spoluucast fransiz spoluucas selbstbeteilig selbstbehalt excess deductib udzial franszyz franchise
cekac karenc cakac wartezeit waiting karencj carence
pojistn. pojistne pojistneho splatk poistn. poistne poistneho pramie beitrag premium skladk prime. primes cotisation
nezaplat neuhraz neuhrad prodlen dluzn dluz upomin neplac omesk upomien zahlungsverzug nichtzahl mahnung verzug unpaid arrears overdue default lapse niezaplac zaleg opoznien impaye retard
vypov vypoved vypovez ukonc ukonci zrus zrusen odstoup odstupen zanik skonc vypoveda odstup kundig kundigung beend widerruf rucktritt terminat cancel withdraw rescind wypowiedz rozwiaz odstap resili annul retract
lhut termin dob. doba dobe dobu obdob lehot frist zeitraum dauer deadline period term. within okres czas delai duree periode
oznam nahlas hlas ohlas sdel anzeige melden anzeig mitteil gemeldet notify report notice notif zglos zawiad powiadom declar signal
neprodl ihned okamzit bezodkl hned unverzuglich sofort immediat promptly niezwloczn
setren vysetr prosetr setrenie presetr prufung ermittl erhebung investig inquiry assess dochodz postepow ustal enquete instruction
vozid auto. auta aut. automob motorov vuz. vozu vozidl auto kraftfahrzeug fahrzeug kfz pkw wagen vehicle car. cars motor samochod pojazd vehicule voiture autu autem autom aute
ridic ridit rizen rid. vodic viest vedeni jazd fahrer fuhrer fahren driver driving drive kierow kierowc prowadz conducteur conduire
alkohol opil navyk drog omamn opit navykov trunken berauscht alkoholis rauschmitt alcohol drunk drug intoxic pijan narkot odurz alcool ivresse stupefiant opit betrunk
nehod nehoda stret kolize havari zrazk havar unfall kollision zusammensto accident crash collision wypad kolizj
pes. psa psu psem psi. psy zvir zvirat mazlic zviera hund hunde haustier dog. dogs pet. pets animal pies. zwierz chien kock kocka katze cat. cats kot. kota
dite. dit. deti det. ditet detsk dieta diet kind kinder child children dzieck dziec enfant
manzel partner rodin prislus clen ehe ehegatt lebenspart famil angehor spouse family household malzon rodzin conjoint famille
najem najem. pronaj pronajat prenaj najom najm podnajom miet mieter vermiet gemietet rent tenant lease landlord wynaj lokator locat loue bail
byt. bytu byte dom. domu domacn nemovit stavb budov domacnos nehnut wohnung haus. hausrat gebaude home house dwelling building flat apartment contents mieszk budyn logement maison habitation batiment
zahrani cizin evrop svet uzemi zahran cudzin euro uzem ausland europa weltweit geltungsbereich abroad overseas territor foreign countries zagran terytor etranger territoire
cest cestov dovolen pobyt reise urlaub aufenthalt travel trip holiday journey podroz wyjazd voyage sejour
zavazadl zavaz kufr batoz batozin kufor gepack koffer baggage luggage suitcase bagaz walizk bagage valise
lecb leceb leceni lekar nemocn osetr hospit liecb liecen nemocnic osetren heilbehand arzt krankenhaus behandl medical treatment doctor hospital leczen lekarz szpital soin medecin hopital
zub. zubni stomat chrup zubn zahn zahne tooth teeth dental zeby dent dentaire zubar zuby zubare zubarsk zahnarzt zahnbehandl dentyst stomatolog dentiste
uraz urazov zranen zranit unfall verletz injur wound obrazen blessure pokous kousn uhryz beiss gebiss bite. bitten
smrt umrti zemr umrt zomr tod. todes gestorb sterb death die. dies died smierc zgon deces mort
invalid invalidit trval invaliditat disabl disabil inwalid
tehoten porod gravid schwanger geburt entbind pregnan birth maternity ciaz grossesse accouch
predchoz existuj chronick drivej existujuc chronic predchadz vorerkrank bestehend chronisch preexist existing istniejac przewlek preexistant chronique
obnos penez hotovost cennost sperk peniaz hotovos cennos wertsach bargeld schmuck valuab cash jewel money gotowk kosztown bizuter especes bijoux valeurs
kolo. kola bicyk jizdn elektrokol bicykel fahrrad pedelec bike bicycle cycle rower velo bicyclette
odpoved odpovednost ruceni rucen zodpoved zodpovednost haftpflicht haftung haft liab liable odpowiedz oc. responsab
umysl umysln nedbal hrub umyseln nedbanliv vorsatz vorsatzlich fahrlass grob intent deliberat wilful gross negligen razac niedbal intention faute
povinnost povin ridit zavazk povinnos obliegenheit pflicht verpflicht duty duties oblig must obowiaz obligation devoir
stiznost reklam stezov ombud arbitr mimosoud staznos beschwerde ombudsmann schlichtung complain dispute ombuds arbitrat reklamac skarg rzecznik reclam mediat litige stazoval beschwer
dohled dozor cnb. nbs. dohlad aufsicht bafin supervis regulator authority nadzor knf. controle acpr
uzavren sjedn sjedna vznik uzavret uzavriet dojedn abschlu abschlie zustandek conclu inception start zawar zawarc souscri
zmena zmen zvysen oznam anderung gefahrerhoh erhohung change increase alter zmian zwieksz modif aggrav changement
podvod zamlc nepravd betrug arglist falsch fraud misrepresent false oszust zatajen fraude fausse lhal lhat zalha zatajil zatajit klam luge gelog lied. lying untrue sklam
promlc promlcen premlc verjahr limitation prescri przedawn prescription
obmysl oprav opravnen obmyslen bezugsberechtig begunstigt beneficiar uposazon uprawnion beneficiaire
sklo. skla skel celn sklo cele glas. scheib windscreen glass window szyb szyba bris vitre glace frontscheib windschutz
asisten odtah asistenc assistance abschlepp pannenhilf pannen breakdown recovery towing courtesy holow depannage remorquage
storno storn zrusenie stornier reiserucktritt cancell rezygnac annulation zrus cancel
odkup odbyt odkupn ruckkauf surrender wykup rachat
sport lyz lyzov rizik adrenalin ski. extrem hazardous narciar sjezdovk sjezdovc skipist snowboard piste
zaloha zalohu preddav vorschuss abschlag advance interim zaliczk avance provision acompte
gdpr soukrom udaj datenschutz personenbezog privacy rodo donnees
zprostred makler broker poradc sprostred vermittler berater intermediar adviser agent posrednik intermediaire courtier
zelen zelena grune karte green card zielon carte verte
garanc kancelar neznam nepojist garancn nepoist entschadigungsfonds unversichert unbekannt guarantee fund uninsured untraced gwarancyjn fundusz nieubezp
mlad zacin nezkusen mlady zaciat junge fahranfang young inexper novice mlod mlody jeune
pujc vypujc zapujc pozic vypozic gelieh geborgt leih verlieh borrow lent. lend pozyc wypozycz emprunt pret.
internet online web. dalk dialk fernabsatz distance odleglos wirtualn distanc
zpet spat vymah vymoz vymoc regres postih pozadov zuruck ruckgriff regress recover back. reclaim zwrotn recours recuper
prerus prerusen pozastav unterbrech ruhen interrupt suspen zawies
prac. prace praci zamestn zamestnan povolan robot. arbeit arbeitsplatz arbeitslos beruf employ job. jobs unemploy praca pracy zatrudn emploi travail
usa. usas spojene spojenych spojenymi vereinigt united america stany
pokut sankc penal strafe strafb geldstraf bussgeld freiheitsstraf fine. fines fined penalt kary. kara. grzywn amende
sebevraz sebevrazd samovraz selbstmord selbsttot suizid suicid samoboj
dron. drony dronu dronem drohn drone drones bezzalog luftfahrz flugmodell
prod prodej prodam prodan predaj predam predan verkauf verausser sell. sale. sold. sprzeda zbyc zbyci vente vendre
soused sused nachbar neighbour neighbor sasiad voisin
zaloba zalob zalov pozwa pozew pozwu powodztw klage klagen verklag sue. sued lawsuit
nocleh ubytov ubytovan hotel ubernacht unterkunft accommodat overnight nocleg hebergement
nehod nehoda udalost unfall schadenfall versicherungsfall schadenereign event. incident accident wypad zdarzen sinistre
vlastnik vlastnictv majitel vlastnictvo eigentum eigentumer besitzer owner ownership wlasciciel wlasnosc proprietaire propriete
`;

/** The groups of a folded word, by number; none for most. */
export const insuranceGroupsOf = createSynonyms(groups);
