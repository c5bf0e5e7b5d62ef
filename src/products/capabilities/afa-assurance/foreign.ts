import { isFunctionWord, type Language } from "../../../knowledge/language/language.ts";
import { fold } from "../../../platform/text.ts";

const known: readonly Language[] = ["cs", "sk", "en"];
/** Frequent words of languages near by that no pack is for, folded; without those that a known language shares. */
const foreignWords = new Set(
  `der die das und ist nicht ein eine einen mit fur von sie wir den dem auf auch oder werden keine
  le les des est une pour dans vous nous pas avec sur qui votre cette sont ce
  el los las una por para con del que su es esta usted como pero
  il gli che per non della sono questo anche piu nel di
  jest sie nie dla jako przez oraz tym tego czy sa ze ubezpieczenia
  het een van niet voor met zijn wordt deze hogy nem egy vagy biztositas`.split(/\s+/),
);
const fewestWords = 6;

/** Whether a text is long enough to tell, and in another language than those of the packs. */
export function isForeign(text: string): boolean {
  const words = fold(text.slice(0, 4_000)).match(/\p{L}{2,}/gu) ?? [];
  if (words.length < fewestWords) return false;
  if (words.filter((word) => !/^\p{Script=Latin}+$/u.test(word)).length > words.length / 2) return true;
  const ours = known.map((language) => words.filter((word) => isFunctionWord(word, language)).length);
  const marked = text.slice(0, 4_000).match(/[\p{L}]*[ąęłńśźżßüàèìòùêîûñåæøőű][\p{L}]*/giu)?.length ?? 0;
  const theirs = marked + words.filter((word) => foreignWords.has(word)).length;
  return theirs > Math.max(...ours) && theirs / words.length > 0.1;
}
