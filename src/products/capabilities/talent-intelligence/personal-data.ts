import { defineFormat } from "../../../platform/validate.ts";

/** The format of a text without anybody's contact: an e-mail address, a phone or personal number, a link to a profile. */
export const impersonal = "impersonal";

const email = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]{2,}/u;
const profile =
  /\b(?:linkedin\.com|xing\.com|facebook\.com|instagram\.com|github\.com)\/|\bx\.com\/|\btwitter\.com\//iu;
/** Czech and Slovak birth numbers, with their stroke. */
const birthNumber = /(?<!\d)\d{6}\/\d{3,4}(?!\d)/u;
/**
 * Nine digits or more, with what people write between them. Dates and amounts have fewer, a decimal sign before them, or a
 * currency behind them; digits that touch a letter are part of a code, unless the letters say that a number follows.
 */
const phone =
  /(?:(?<![\da-z]|\d[.,])|(?<=\b(?:tel|telefon|phone|mob|mobil|mobile|call|fax|whatsapp)))\+?\d(?:[ ()/-]?\d){8,14}(?![\da-z])(?!\s*(?:czk|kč|eur|€|usd|\$|pln|huf|%))/iu;

/** Whether a text has no contact of a person in it. */
export const isImpersonal = (text: string): boolean =>
  ![email, profile, birthNumber, phone].some((pattern) => pattern.test(text));

defineFormat(
  impersonal,
  isImpersonal,
  "must hold no e-mail address, phone number, personal number or link to a person's profile: describe the role instead",
);
