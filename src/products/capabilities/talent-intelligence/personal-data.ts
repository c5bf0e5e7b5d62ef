import { defineFormat } from "../../../platform/validate.ts";

/** The format of a text without anybody's contact: an e-mail address, a phone or personal number, a link to a profile. */
export const impersonal = "impersonal";

const email = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]{2,}/u;
/** The same with its signs in brackets or between blanks, so that no program finds it. */
const hiddenEmail =
  /[\p{L}\d] ?(?:[([{] ?(?:at|zavináč|@) ?[)\]}]|@) ?[\p{L}\d-]{1,63}(?:\.| \. | ?[([{] ?(?:dot|tečka|bodka|punkt) ?[)\]}] ?)\p{L}{2}/iu;
const profile =
  /\b(?:linkedin\.com|lnkd\.in|xing\.com|facebook\.com|fb\.com|instagram\.com|github\.com|tiktok\.com|youtube\.com|threads\.net|bsky\.app|wa\.me|t\.me)\/|\bx\.com\/|\btwitter\.com\//iu;
/** What a person is called on a network: `@jan_novak`, or behind the stroke of a link. */
const handle = /\/@[\p{L}\d_]|(?<![^\s:(,])@\p{L}[\p{L}\d]{0,40}[._\d][\p{L}\d_]/u;
/** Czech and Slovak birth numbers, with their stroke. */
const birthNumber = /(?<!\d)\d{6} ?\/ ?\d{3,4}(?!\d)/u;
/**
 * Nine digits or more, with what people write between them. Dates and amounts have fewer, a decimal sign before them, or a
 * currency behind them; digits that touch a letter are part of a code, unless the letters say that a number follows.
 */
const phone =
  /(?:(?<![\da-z]|\d[.,])|(?<=\b(?:tel|telefon|phone|mob|mobil|mobile|call|fax|whatsapp)))\+?\d(?:(?:[ /-]|\)[ -]?| ?\()?\d){8,40}(?![\da-z]|[ /-]\d)(?!\s*(?:czk|kč|eur|€|usd|\$|pln|huf|%))/iu;
/** The same with points, which amounts have too: behind a plus sign, or a word that says it. */
const pointedPhone =
  /(?:\+|\b(?:tel|telefon\p{L}{0,3}|phone|mob|mobil\p{L}{0,3}|call|fax|whatsapp|volejte|volajte|ring|handy)[.: ]{0,3})(?=\d(?:\.?\d){8})\d{2,4}(?:\.\d{2,4}){2,4}(?!\d)/iu;

/** What people write in many ways, in one: digits of any width, blanks and dashes that don't break, dashes in a number. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\u2010-\u2012\u2212]/g, "-")
    .replace(/(\d{3})–(\d{3})–(?=\d{3})/g, "$1-$2-");

/** Whether a text has no contact of a person in it. A number and nothing else is nobody's; nothing of it is kept either. */
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
