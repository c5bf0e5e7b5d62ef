import type { Language } from "../../integrations/mail/texts.ts";
import { frame, pageHeaders } from "../pages/frame.ts";
import { html, Markup } from "../pages/html.ts";
import { wordsIn } from "../pages/language.ts";
import { scopeWords } from "../pages/words/scopes.ts";
import { isLoopbackHost, redirectHost } from "./redirect-uri.ts";
import type { AuthorizationRequest } from "./request.ts";
import { type ConsentWords, consentWordsIn } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What the consent page shows, and the previous choices if it is shown again. */
export interface Question {
  readonly language: Language;
  readonly asked: AuthorizationRequest;
  readonly email: string;
  /** Scopes that the person can grant. */
  readonly offered: readonly string[];
  readonly firm: Named;
  readonly otherFirms: readonly Named[];
  readonly workspaces: readonly Named[];
  readonly chosen?: { readonly scopes: readonly string[]; readonly workspace_id: string };
  readonly mistake?: "scopes_needed" | "workspace_needed";
  readonly ticket: string;
  /** The request's own query, for links back to this page. */
  readonly query: string;
  /** The link for signing in with another account and returning. */
  readonly signInUrl: string;
}

/** Returns the client's name as shown to people. */
export function clientName({ asked, language }: Pick<Question, "asked" | "language">): string {
  const { name, kind, id } = asked.client;
  return name ?? (kind === "document" ? new URL(id).host : consentWordsIn[language].unnamed);
}

const within = (text: string, value: string): Markup => {
  const [before = "", after = ""] = text.split("{name}");
  return html`${before}<strong>${value}</strong>${after}`;
};

/** Shows where the client redirects to, who is signed in, and how far the client's name can be trusted. */
function facts({ asked, email, signInUrl }: Question, words: ConsentWords): Markup {
  const { client, redirect_uri } = asked;
  const url = new URL(redirect_uri);
  const isLocal = url.protocol === "http:" && isLoopbackHost(url.hostname);
  const proof =
    client.kind === "document"
      ? html`<p class="meta">${within(words.proved, new URL(client.id).host)}</p>`
      : client.kind === "registered" && html`<p class="meta">${words.unproved}</p>`;
  return html`<dl class="facts">
<dt>${words.returns_to}</dt><dd><strong>${redirectHost(redirect_uri)}</strong>${isLocal && html` <span class="meta">${words.local}</span>`}</dd>
<dt>${words.signed_in_as}</dt><dd>${email} <a href="${signInUrl}">${words.other_account}</a></dd>
</dl>
${proof}`;
}

function scopeBoxes({ language, offered, chosen, mistake }: Question, words: ConsentWords): Markup {
  const isWrong = mistake === "scopes_needed";
  const boxes = offered.map((scope) => {
    const checked = (chosen?.scopes.includes(scope) ?? true) && new Markup(" checked");
    return html`<label><input type="checkbox" name="scope" value="${scope}"${checked}><span>${scopeWords(language, scope)}</span><code class="meta">${scope}</code></label>`;
  });
  return html`<fieldset aria-describedby="scopes-hint${isWrong && " scopes-error"}"><legend>${words.scopes}</legend>
<p class="hint" id="scopes-hint">${words.scopes_hint}</p>
${isWrong && html`<p class="error" id="scopes-error" role="alert">${words.scopes_needed}</p>`}
<div class="scopes">${boxes}</div></fieldset>`;
}

function place({ firm, otherFirms, workspaces, chosen, mistake, query }: Question, words: ConsentWords): Markup {
  const options = workspaces.map(
    ({ id, name }) =>
      html`<option value="${id}"${chosen?.workspace_id === id && new Markup(" selected")}>${name}</option>`,
  );
  const others = otherFirms.map(({ id, name }) => {
    const search = new URLSearchParams(query);
    search.set("firm", id);
    return html`<a href="authorize?${search.toString()}">${words.other_firm.replace("{name}", name)}</a> `;
  });
  const isWrong = mistake === "workspace_needed";
  return html`<dl class="facts"><dt>${words.firm}</dt><dd>${firm.name} ${others}</dd></dl>
<div class="field"><label for="workspace_id">${words.workspace}</label>
<select id="workspace_id" name="workspace_id" aria-describedby="workspace-hint">${options}</select>
<p class="hint" id="workspace-hint">${words.workspace_hint}</p>
${isWrong && html`<p class="error" role="alert">${words.workspace_needed}</p>`}</div>`;
}

/**
 * The CSP `form-action` of the page. Browsers apply it to the redirects after a form too: to the client, and wherever
 * the client's page redirects.
 */
const formAction = (redirectUri: string): string => `'self' https: ${new URL(redirectUri).protocol}`;

/** Returns the consent page, which works without JavaScript. */
export function consentPage(question: Question): Response {
  const { language, asked, ticket } = question;
  const words = consentWordsIn[language];
  const isSignIn = asked.kind === "session";
  const lead = isSignIn
    ? html`<p class="lead">${words.sign_in_lead}</p>`
    : html`<p class="lead">${within(words.lead, clientName(question))}</p>`;
  const content = html`${lead}
${facts(question, words)}
<form method="post" action="authorize">
<input type="hidden" name="ticket" value="${ticket}">
${!isSignIn && html`${scopeBoxes(question, words)}${place(question, words)}`}
<div class="decide"><button type="submit" class="primary" name="decision" value="allow">${words.allow}</button>
<button type="submit" name="decision" value="deny">${words.deny}</button></div>
</form>`;
  const title = isSignIn ? words.sign_in_title : words.title;
  const page = frame({ language, words: wordsIn[language], title, name: "consent", content, root: "../" });
  const status = question.mistake ? 422 : 200;
  return new Response(page, { status, headers: pageHeaders(language, formAction(asked.redirect_uri)) });
}

export type Trouble = "error_client" | "error_redirect" | "error_stale" | "error_busy";

/**
 * Returns the page that explains why authorisation cannot continue. `technical` describes the problem with the
 * program's request, in fixed words, for its developer.
 */
export function troublePage(language: Language, trouble: Trouble, status: number, technical?: string): Response {
  const words = consentWordsIn[language];
  const content = html`<p class="message" role="alert">${words[trouble]}</p>
<p>${words.error_lead}</p>
${technical !== undefined && html`<p class="meta" lang="en">${technical}</p>`}`;
  const page = frame({
    ...{ language, words: wordsIn[language], title: words.error_title, name: "consent", content, root: "../" },
  });
  return new Response(page, { status, headers: pageHeaders(language) });
}
