import { countryName, placeOf } from "../datasets/places.ts";
import { ownWords as inBook, type PhraseLanguage, type Sort } from "./phrase-book.ts";

function countryIn(name: string, language: PhraseLanguage): string {
  const place = placeOf(name);
  return place ? countryName(place, language) : name;
}

/** Translates the product's own text; returns `null` if the text is not the product's. */
export const ownWords = (text: string, sort: Sort, language: PhraseLanguage): string | null =>
  inBook(text, sort, language, countryIn);
