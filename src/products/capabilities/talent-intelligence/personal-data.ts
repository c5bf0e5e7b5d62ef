import { defineFormat } from "../../../platform/validate.ts";

/** Format of a text without personal contact data: e-mail addresses, phone or personal numbers, links to profiles. */
export const impersonal = "impersonal";

const email = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]{2,}/u;
/** An address with its signs in brackets or between spaces, to hide it from programs. */
const hiddenEmail =
  /[\p{L}\d] ?(?:[([{] ?(?:at|zavináč|@) ?[)\]}]|@) ?[\p{L}\d-]{1,63}(?:\.| \. | ?[([{] ?(?:dot|tečka|bodka|punkt) ?[)\]}] ?)\p{L}{2}/iu;
const profile =
  /\b(?:linkedin\.com|lnkd\.in|xing\.com|facebook\.com|fb\.com|instagram\.com|github\.com|tiktok\.com|youtube\.com|threads\.net|bsky\.app|wa\.me|t\.me)\/|\bx\.com\/|\btwitter\.com\//iu;
/** A person's name on a network: `@jan_novak`, or after the slash of a link. */
const handle = /\/@[\p{L}\d_]|(?<![^\s:(,])@\p{L}[\p{L}\d]{0,40}[._\d][\p{L}\d_]/u;
/** Czech and Slovak birth numbers, with their slash. */
const birthNumber = /(?<!\d)\d{6} ?\/ ?\d{3,4}(?!\d)/u;
/**
 * Nine digits or more, with the separators that people write. Dates and amounts have fewer, a decimal sign before them,
 * or a currency after them. Digits that touch a letter are part of a code, unless the letters say that a number
 * follows.
 */
const phone =
  /(?:(?<![\da-z]|\d[.,])|(?<=\b(?:tel|telefon|phone|mob|mobil|mobile|call|fax|whatsapp)))\+?\d(?:(?:[ /-]|\)[ -]?| ?\()?\d){8,40}(?![\da-z]|[ /-]\d)(?!\s*(?:czk|kč|eur|€|usd|\$|pln|huf|%))/iu;
/** The same with points, which amounts have too: after a plus sign, or a word for a phone. */
const pointedPhone =
  /(?:\+|\b(?:tel|telefon\p{L}{0,3}|phone|mob|mobil\p{L}{0,3}|call|fax|whatsapp|volejte|volajte|ring|handy)[.: ]{0,3})(?=\d(?:\.?\d){8})\d{2,4}(?:\.\d{2,4}){2,4}(?!\d)/iu;

/** Unifies different spellings: digits of any width, non-breaking spaces and dashes, dashes in a number. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\u2010-\u2012\u2212]/g, "-")
    .replace(/(\d{3})–(\d{3})–(?=\d{3})/g, "$1-$2-");

/** Returns whether a text has no personal contact data. A number alone is no one's, and it is not kept either. */
export const isImpersonal = (text: string): boolean => {
  const said = plain(text);
  if (/^\d+$/.test(said)) return true;
  return ![email, hiddenEmail, profile, handle, birthNumber, phone, pointedPhone].some((pattern) => pattern.test(said));
};

defineFormat(
  impersonal,
  isImpersonal,
  "must hold no e-mail address, phone number, personal number or link to a person's profile: describe the role instead",
);
