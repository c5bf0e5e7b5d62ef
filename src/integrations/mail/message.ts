import { escapeHTML } from "bun";
import { type Language, type MailKind, wordings } from "./texts.ts";

export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What fills a message in. */
export interface Filling {
  /** Where the message leads. */
  readonly link?: string;
  /** The firm that invites. */
  readonly firm?: string;
  /** What waits for an approval, by its name in the catalogue. */
  readonly what?: string;
  /** Until when it waits (RFC 3339). */
  readonly until?: string;
}

/** An instant as people of the language write it, in UTC: where they are is not known. */
const instant = (language: Language, at: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(new Date(at))} UTC`;

/** A name that came from outside, on one line and of a length that stands in a sentence. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 120);

/** A message in plain text and in HTML that says the same. Nothing in it is fetched from anywhere. */
export function composeMessage(
  kind: MailKind,
  language: Language,
  { link, firm = "", what = "", until }: Filling = {},
): Message {
  const { subject, before, action, after } = wordings[language][kind];
  const first = before
    .replaceAll("{firm}", () => oneLine(firm))
    .replaceAll("{what}", () => oneLine(what))
    .replaceAll("{until}", () => (until === undefined ? "" : instant(language, until)));
  const text = [first, ...(link === undefined ? [] : [link]), after, "Assay"].join("\n\n");
  const button =
    link === undefined || action === undefined
      ? ""
      : `<p style="margin:24px 0"><a href="${escapeHTML(link)}" style="background:#12355b;color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block">${escapeHTML(action)}</a></p><p style="font-size:14px;color:#444444;word-break:break-all">${escapeHTML(link)}</p>`;
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHTML(subject)}</title></head><body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:560px;margin:0 auto;padding:24px"><p>${escapeHTML(first)}</p>${button}<p>${escapeHTML(after)}</p><p>Assay</p></body></html>`;
  return { subject, text: `${text}\n`, html };
}
