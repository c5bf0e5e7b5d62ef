import { escapeHTML } from "bun";
import { type Language, type MailKind, wordings } from "./texts.ts";

export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The values that a message template takes. */
export interface Filling {
  /** The message's link. */
  readonly link?: string;
  /** The inviting firm. */
  readonly firm?: string;
  /** The catalogue name of the output that awaits approval. */
  readonly what?: string;
  /** The deadline of the approval (RFC 3339). */
  readonly until?: string;
}

/** Formats an instant for a language, in UTC because the reader's time zone is unknown. */
const instant = (language: Language, at: string): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(new Date(at))} UTC`;

/** Puts an external name on one line and shortens it to fit in a sentence. */
const oneLine = (name: string): string =>
  name
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 120);

/** Composes a message as plain text and as HTML with the same content. The HTML loads nothing from the network. */
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
