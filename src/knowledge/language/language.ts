import { fold } from "../../platform/text.ts";

/** The languages the checker knows. Anything else is treated as English, whose rules are the least invasive. */
export type Language = "cs" | "sk" | "en";

/** Function words without diacritics: they carry no evidence of their own and identify the language. */
const functionWords: Record<Language, ReadonlySet<string>> = {
  cs: words(`a aby ale ani ano asi az bez bud by byl byla byli bylo byly byt ci co coz do dnes ho i ja jak jako je jeho jej
    jeji jejich jen jenz jeste ji jich jim jinak jiz jsem jses jsi jsme jsou jste k kam kde kdo kdy kdyz ke ktera ktere
    kteri kterou ktery kteremu ktereho kterych kterym ma maji mel mela mely meli mezi mi mit muj na nad nam nas nebo nez
    ni nic o od on ona oni ono pak po pod podle pokud potom prave pri pro proc proto protoze pred s se si sve svych
    svou svem svuj ta tak take takze tam tato te tedy ten tento teto tim timto to toho tohoto tom tomto tomu toto tu
    tuto ty tyto u uz v ve vsak vy z za zda ze i jejim jimi nimi nim nej nich techto tech ode dle vuci vzdyt`),
  sk: words(`a aby aj ak ako ale alebo ani ano asi az bez bol bola boli bolo by byt cez ci co do ho i ich im ja je jeho jej
    k kde kto ktora ktore ktori ktory ktorej ktoreho ktorych ktorym ked keby ku len ma maju mal mala mali medzi mi na
    nad nam nas nie nez ni o od on ona oni ono pre pred pri po pod podla pokial potom preto pretoze s sa si so su som
    sme ste sv svoj svoje svojho ta tak takze tam te teda tento tej tejto to toho tohto tom tomto tomu toto tu tuto ty
    tieto tychto u uz v vo vsak vy z za ze zo zo by bud sam tym tymto nim nich`),
  en: words(`a about above after again all also am an and any are as at be because been before being both but by can did
    do does doing down during each for from further had has have having he her here hers herself him himself his how i
    if in into is it its itself just me more most my myself of off on once or other our ours out over own s same she
    should so some such t than that the their theirs them themselves then there these they this those through to too
    under until up very was we were what when where which while who whom why will with would yes you your yours ll re ve d
    m`),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Whether a word, already folded, is a function word of the language. The claim and the source index ask. */
export const isFunctionWord = (folded: string, language: Language): boolean => functionWords[language].has(folded);

// Letters and words that one of two close neighbours has and the other has not.
const onlyCzech =
  /[ěřů]|(?:^|[^\p{L}])(?:jsou|není|který|které|která|že|pojištění|při|se|nebo|když|dnů)(?=$|[^\p{L}])/giu;
const onlySlovak =
  /[ľĺŕôä]|(?<=\p{L}{2})(?:[aiu]ť|[ao]sť)(?!\p{L})|(?:^|[^\p{L}])(?:sú|nie|ktorý|ktoré|ktorá|poistenie|pri|sa|alebo|keď|treba|iba|aj|ako|dní)(?=$|[^\p{L}])/giu;

/**
 * The language of a text by its function words and telling letters; `otherwise` when too short to tell.
 * Looks at the first 4,000 characters, which decide in practice and bound the cost.
 */
export function detectLanguage(text: string, otherwise: Language = "en"): Language {
  const head = text.slice(0, 4000);
  const found = fold(head).match(/\p{L}+/gu) ?? [];
  const score: Record<Language, number> = { cs: 0, sk: 0, en: 0 };
  for (const word of found)
    for (const language of ["cs", "sk", "en"] as const) {
      // A one-letter word is shared by too many languages to say much.
      if (functionWords[language].has(word)) score[language] += word.length > 1 ? 1 : 0.25;
    }
  score.cs += 1.5 * (head.match(onlyCzech)?.length ?? 0);
  score.sk += 1.5 * (head.match(onlySlovak)?.length ?? 0);
  const accented = head.match(/[áčďéěíňóřšťúůýžľĺŕôä]/giu)?.length ?? 0;
  score.cs += 0.5 * accented;
  score.sk += 0.5 * accented;
  // A few words without a telling one (a name, an amount) may be of any language; a whole sentence of them is foreign.
  if (score.en + score.cs + score.sk === 0) return found.length <= 3 ? otherwise : "en";
  if (score.en >= score.cs && score.en >= score.sk) return "en";
  if (score.sk === score.cs) return otherwise === "sk" ? "sk" : "cs";
  return score.sk > score.cs ? "sk" : "cs";
}

/** Czech and Slovak inflect alike and share a model. */
export type Family = "slavic" | "english";

/** The model family of a language. */
export const familyOf = (language: Language): Family => (language === "en" ? "english" : "slavic");
