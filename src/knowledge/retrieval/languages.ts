import { fold } from "../../platform/text.ts";

/** The languages that the search analyses by their own rules. Others are searched by their words as written. */
export const searchLanguages = ["cs", "sk", "de", "pl", "en", "fr"] as const;
export type SearchLanguage = (typeof searchLanguages)[number];

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Function words, folded: what a question is made of besides its subject. They tell languages apart, too. */
const functionWords: Readonly<Record<SearchLanguage, ReadonlySet<string>>> = {
  cs: words(`a aby aj ale ani ano asi az bez bud by byl byla byli bylo byt ci co coz dle do ho i ja jak jake jaky jaka jako je jeho
    jej jeji jejich jen jenz jeste ji jich jim jiz jsem jsi jsme jsou jste k kam kde kdo kdy kdyz ke kolik ktera ktere kteri
    kterou ktery kteremu ktereho kterych kterym ma mam mame maji me mel mela mely meli mezi mi mne mit muj muze muzu mohu na nad
    nam nas ne nebo neni nez ni nic o od on ona oni ono pak po pod podle pokud potom pri pro proc proto protoze pred s se si sve
    svych svou svem svuj ta tak take takze tam tato te tedy ten tento teto tim timto to toho tohoto tom tomto tomu toto tu tuto ty
    tyto u uz v ve vsak vy z za zda ze`),
  sk: words(`a aby aj ak ako aka ake aky ale alebo ani ano asi az bez bol bola boli bolo by byt cez ci co do ho i ich im ja je jeho
    jej k kde kedy kto ktora ktore ktori ktory ktorej ktoreho ktorych ktorym ked keby kolko ku len ma mam mame maju mal mala mali
    medzi mi mna moze mozem mojej moja moj na nad nam nas nie nez ni o od on ona oni ono pre pred pri po pod podla pokial potom
    preco preto pretoze s sa si so su som sme ste sv svoj svoje svojho ta tak takze tam te teda tento tej tejto to toho tohto tom
    tomto tomu toto tu tuto ty tieto tychto u uz v vo vsak vy z za ze zo`),
  de: words(`aber als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den denn der des dessen deren die
    dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa fur gegen gilt habe haben
    hat hatte ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder kann kein keine keinem keinen
    man mein meine meinem meinen meiner mich mir mit muss mussen nach nicht noch nur ob oder ohne sein seine seinem seinen
    seiner sich sie sind so sofern soll sollte sowie uber um und uns unser unter vom von vor wann war warum was weil welche welchem
    welchen welcher welches wenn wer werde werden wie wieviel wird wirst wo wohin worden wurde zu zum zur zwischen`),
  pl: words(`a aby ale albo ani az bardzo bez bedzie bo by byc byl byla bylo byly co czy czyli dla do gdy gdzie go i ich ile im inne
    innych innego iz ja jak jaka jaki jakie jako je jego jej jest jestem jesli jezeli juz kiedy kto ktora ktore ktorego ktorej
    ktory ktorych ktorym ktorzy lub ma maja mam mi mna moge moj moja moje moze mozna mnie na nad nam nas nie niz o od on ona one
    oni oraz po pod poza przed przez przy sa sie sobie swoj swoje ta tak takie tam te tego tej ten to ty tych tylko tym u w we
    wiec wszystkie z za zas ze`),
  en: words(`a about above after again all also am an and any are as at be because been before being below between both but by can
    could did do does doing down during each for from further had has have having he her here hers him his how i if in into is it
    its itself just me more most my myself of off on once or other our ours out over own same shall she should so some such than
    that the their theirs them then there these they this those through to too under until up us very was we were what when where
    which while who whom whose why will with would you your yours`),
  fr: words(`a afin ai alors apres au aucun aussi autre aux avec avant avoir c ce cela celle celui ces cet cette ceux chaque comme
    comment d dans de des donc dont du elle elles en encore entre es est et etre eu fait il ils j je jusqu l la le les leur leurs
    lors lorsque lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas pendant peut peux plus pour pourquoi qu
    quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si sii son sont sous sur t ta te tes toi ton tous tout
    toute toutes tu un une vos votre vous y`),
};

/** Whether a folded word is a function word of the language. Analysis and ranking ask. */
export const isStopWord = (folded: string, language: SearchLanguage): boolean => functionWords[language].has(folded);

/** Letters that few of the six have; a weight for each language that has them. */
const telling: readonly (readonly [RegExp, Partial<Record<SearchLanguage, number>>])[] = [
  [/[ěřů]/giu, { cs: 2 }],
  [/[ľĺŕ]/giu, { sk: 2 }],
  [/ä/giu, { sk: 0.4, de: 1 }],
  [/[öüß]/giu, { de: 1.5 }],
  [/[ąęłśźżń]/giu, { pl: 1.5 }],
  [/[ôâêîûàèùçœ]/giu, { fr: 1.2, sk: 0.1 }],
  [/[čšžďťňáíúýé]/giu, { cs: 0.4, sk: 0.4 }],
  [/é/giu, { fr: 0.4 }],
  [/ó/giu, { pl: 0.6, sk: 0.4, cs: 0.1 }],
  [
    /(?<!\p{L})(?:není|který|která|které|že|pojištění|pojistné|při|se|nebo|když|dnů|kdy|jsou|kolik)(?!\p{L})/giu,
    { cs: 1.5 },
  ],
  [
    /(?<!\p{L})(?:sú|nie|ktorý|ktorá|ktoré|poistenie|poistné|pri|sa|alebo|keď|aj|ako|dní|kedy|koľko)(?!\p{L})/giu,
    { sk: 1.5 },
  ],
];

/** Insurance words that no other of the six languages has: they decide short questions such as "Kasko Ausland". */
const subjects: readonly (readonly [RegExp, SearchLanguage])[] = [
  [
    /(?<!\p{L})(?:\p{L}*versicherung\p{L}*|\p{L}*schaden\p{L}*|haftpflicht\p{L}*|selbstbeteiligung|ausland|kundig\p{L}*)/gu,
    "de",
  ],
  [/(?<!\p{L})(?:pojist\p{L}*|skod\p{L}*|vypove\p{L}*|smlouv\p{L}*|smlouv\p{L}*)/gu, "cs"],
  [/(?<!\p{L})(?:poist\p{L}*|zmluv\p{L}*|vypoved\p{L}*|skod\p{L}*)/gu, "sk"],
  [/(?<!\p{L})(?:ubezpiecz\p{L}*|szkod\p{L}*|umow\p{L}*|skladk\p{L}*|wypowiedz\p{L}*)/gu, "pl"],
  [/(?<!\p{L})(?:insur\p{L}*|claim\p{L}*|polic(?:y|ies)|cover\p{L}*|premium\p{L}*)/gu, "en"],
  [/(?<!\p{L})(?:assur\p{L}*|sinistr\p{L}*|garanti\p{L}*|franchise|resiliation|prime)/gu, "fr"],
];

/**
 * The language of a text among the six, by its function words, telling letters and insurance words; `otherwise` when
 * nothing tells. Looks at the first 4,000 characters. Used for questions; documents say theirs.
 */
export function detectSearchLanguage(text: string, otherwise: SearchLanguage = "en"): SearchLanguage {
  const head = text.slice(0, 4_000).normalize("NFC");
  const folded = fold(head);
  const score: Record<SearchLanguage, number> = { cs: 0, sk: 0, de: 0, pl: 0, en: 0, fr: 0 };
  // A one-letter word is shared by too many languages to say much.
  for (const word of folded.match(/\p{L}+/gu) ?? [])
    for (const language of searchLanguages)
      if (functionWords[language].has(word)) score[language] += word.length > 1 ? 1 : 0.25;
  for (const [pattern, weights] of telling) {
    const found = head.match(pattern)?.length ?? 0;
    for (const language of searchLanguages) score[language] += found * (weights[language] ?? 0);
  }
  for (const [pattern, language] of subjects) score[language] += folded.match(pattern)?.length ?? 0;
  const best = Math.max(...Object.values(score));
  if (best === 0) return otherwise;
  return score[otherwise] === best ? otherwise : (searchLanguages.find((each) => score[each] === best) ?? otherwise);
}

/** The search language of an ISO 639-1 code, or of a tag such as `de-AT`; undefined when it is none of the six. */
export function searchLanguageOf(code: string | undefined): SearchLanguage | undefined {
  const primary = code?.toLowerCase().split(/[-_]/)[0];
  return searchLanguages.find((language) => language === primary);
}
