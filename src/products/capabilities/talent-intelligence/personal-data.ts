import { defineFormat } from "../../../platform/validate.ts";

/** The format of a text without anybody's contact: an e-mail address, a phone or personal number, a link to a profile. */
export const impersonal = "impersonal";

const email = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]{2,}/u;
const profile =
  /\b(?:linkedin\.com|xing\.com|facebook\.com|instagram\.com|github\.com)\/|\bx\.com\/|\btwitter\.com\//iu;
/** Czech and Slovak birth numbers, with their stroke. */
const birthNumber = /(?<!\d)\d{6}\/\d{3,4}(?!\d)/u;
/** Nine digits or more, with what people write between them; dates and amounts have fewer, or a decimal sign. */
/** With a currency behind them they are an amount. */
const phone = /(?<![\d.,])\+?\d(?:[ ()/-]?\d){8,14}(?![\d])(?!\s*(?:czk|kč|eur|€|usd|\$|pln|huf|%))/iu;

/** Whether a text has no contact of a person in it. */
export const isImpersonal = (text: string): boolean =>
  ![email, profile, birthNumber, phone].some((pattern) => pattern.test(text));

defineFormat(
  impersonal,
  isImpersonal,
  "must hold no e-mail address, phone number, personal number or link to a person's profile: describe the role instead",
);
