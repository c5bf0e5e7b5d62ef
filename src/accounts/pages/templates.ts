import type { Language } from "../../integrations/mail/texts.ts";
import { frame } from "./frame.ts";
import { html, Markup } from "./html.ts";
import type { Words } from "./words/en.ts";
import { scopeWordsIn } from "./words/scopes.ts";

/** What a page is made of besides its own words. */
export interface Setting {
  readonly language: Language;
  readonly words: Words;
  /** The external provider's name, where one is set up. */
  readonly provider: string | undefined;
  /** Where a sign-in leads to: allowed already. */
  readonly next: string;
  /** An address behind the page's own that the links between the pages hand on; empty or with its question mark. */
  readonly search: string;
  /** Whether mail leaves the house: without, links are asked of the operator. */
  readonly sendsMail: boolean;
  /** Whether whoever looks at the page may make an account. */
  readonly maySignUp: boolean;
  /** Vouches for the sign-in's form. */
  readonly token: string;
  /** What came of a form that was sent without a script. */
  readonly told: Told | undefined;
}

/** Why a form was not carried out, in words of the page. */
export interface Told {
  readonly message: keyof Words;
  readonly status: number;
  /** What was typed, so that it need not be typed again. */
  readonly email: string;
}

/** A field with its label and the place where its mistakes are told. */
function field(
  words: Words,
  name: "email" | "password" | "full_name",
  label: string,
  completion: string,
  value = "",
): Markup {
  const isPassword = name === "password";
  const type = isPassword ? "password" : name === "email" ? "email" : "text";
  const hint = completion === "new-password" && html`<p class="hint" id="${name}-hint">${words.password_hint}</p>`;
  const bounds = completion === "new-password" ? new Markup(' minlength="12" maxlength="128"') : undefined;
  const required = name === "full_name" ? undefined : new Markup(" required");
  const described = hint ? `${name}-hint ${name}-error` : `${name}-error`;
  const toggle =
    isPassword &&
    html`<button type="button" class="toggle" hidden data-scripted data-toggle="${name}" aria-pressed="false" aria-controls="${name}">${words.show}</button>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="input"><input id="${name}" name="${name}" type="${type}" autocomplete="${completion}" aria-describedby="${described}" autocapitalize="none" spellcheck="false"${value !== "" && html` value="${value}"`}${required}${bounds}>${toggle}</div>
${hint}<p class="error" id="${name}-error" data-error-of="${name}" aria-live="polite"></p>
</div>`;
}

/** A form. `message`: what came of it, where it was sent without a script. */
const form = (kind: string, action: string, fields: readonly Markup[], next?: string, message = ""): Markup =>
  html`<form data-form="${kind}"${next !== undefined && html` data-next="${next}"`} method="post" novalidate>
<p class="message" role="alert" data-message>${message}</p>
${fields}<button type="submit" class="primary">${action}</button>
</form>
<div class="done" data-done role="status" tabindex="-1" hidden></div>`;

const signIn = ({
  words,
  provider,
  next,
  search,
  token,
  told,
  maySignUp,
}: Setting): Markup => html`<p class="lead">${words.sign_in_lead}</p>
${form(
  "sign-in",
  words.sign_in_action,
  [
    html`<input type="hidden" name="token" value="${token}">`,
    field(words, "email", words.email, "username", told?.email),
    field(words, "password", words.password, "current-password"),
  ],
  next,
  told && words[told.message],
)}
${
  provider !== undefined &&
  html`<div hidden data-scripted><p class="or"><span>${words.or}</span></p>
<button type="button" class="secondary" data-external="${provider}">${words.continue_with.replace("{name}", provider)}</button></div>`
}
<p class="links"><a href="recover">${words.forgot}</a></p>
${maySignUp && html`<p class="links">${words.no_account} <a href="sign-up${search}">${words.sign_up_action}</a></p>`}`;

const signUp = ({
  words,
  next,
  search,
  maySignUp,
}: Setting): Markup => html`<p class="lead">${maySignUp ? words.sign_up_lead : words.sign_up_closed}</p>
${
  maySignUp &&
  form(
    "sign-up",
    words.sign_up_action,
    [
      field(words, "full_name", words.full_name, "name"),
      field(words, "email", words.email, "username"),
      field(words, "password", words.password, "new-password"),
    ],
    next,
  )
}
<p class="links">${words.have_account} <a href="sign-in${search}">${words.sign_in_action}</a></p>`;

const recover = ({
  words,
  sendsMail,
}: Setting): Markup => html`<p class="lead">${sendsMail ? words.recover_lead : words.recover_unsent}</p>
${form("recover", words.recover_action, [field(words, "email", words.email, "username")])}
<p class="links"><a href="sign-in">${words.sign_in_action}</a></p>`;

/** What else opens the account: shown once the script knows that there is any, and how much. */
const revokeAccess = ({ reset_revoke }: Words): Markup =>
  html`<div class="field" data-revoke hidden><label><input type="checkbox" name="revoke_access" value="yes"> <span data-revoke-text>${reset_revoke}</span></label></div>`;

const reset = ({ words }: Setting): Markup => html`${form("reset", words.reset_action, [
  field(words, "password", words.new_password, "new-password"),
  revokeAccess(words),
])}
<p class="links"><a href="sign-in">${words.sign_in_action}</a></p>`;

const confirm = ({ words }: Setting): Markup => html`<p class="lead">${words.confirm_lead}</p>
${form("confirm", words.confirm_action, [])}
<p class="links"><a href="sign-in">${words.sign_in_action}</a></p>`;

/** Where a secret is shown, once. */
const secret = (of: "key" | "connection", told: string, words: Words): Markup =>
  html`<div class="secret" data-secret="${of}" role="status" tabindex="-1" hidden><p>${told}</p><output data-secret-text></output><button type="button" class="secondary" data-copy>${words.copy}</button></div>`;

const account = ({ words }: Setting): Markup => html`<p class="message" role="alert" data-message></p>
<div class="who"><p data-who aria-live="polite">${words.busy}</p><button type="button" class="secondary" data-sign-out>${words.sign_out}</button></div>
<section aria-labelledby="keys-title">
<h2 id="keys-title">${words.keys}</h2>
<p class="lead">${words.keys_lead}</p>
${secret("key", words.key_secret, words)}
<ul class="keys" data-keys></ul>
<form data-form="key" method="post" novalidate hidden>
<h3>${words.key_new}</h3>
<div class="field"><label for="name">${words.key_name}</label><div class="input"><input id="name" name="name" maxlength="80" required autocomplete="off" aria-describedby="name-error"></div><p class="error" id="name-error" data-error-of="name" aria-live="polite"></p></div>
<div class="field"><label for="workspace_id">${words.key_workspace}</label><select id="workspace_id" name="workspace_id"></select></div>
<fieldset><legend>${words.key_scopes}</legend><div class="scopes" data-scopes></div><p class="error" data-error-of="scopes" aria-live="polite"></p></fieldset>
<button type="submit" class="primary">${words.key_make}</button>
</form>
</section>
<section aria-labelledby="connections-title">
<h2 id="connections-title">${words.connections}</h2>
<p class="lead">${words.connections_lead}</p>
${secret("connection", words.connection_secret, words)}
<ul class="keys" data-connections></ul>
<form data-form="connection" method="post" novalidate hidden>
<h3>${words.connection_new}</h3>
<p class="hint">${words.connection_hint}</p>
<div class="field"><label for="connection_name">${words.connection_name}</label><div class="input"><input id="connection_name" name="connection_name" maxlength="80" required autocomplete="off" aria-describedby="connection_name-error"></div><p class="error" id="connection_name-error" data-error-of="connection_name" aria-live="polite"></p></div>
<div class="field"><label for="connection_workspace">${words.key_workspace}</label><select id="connection_workspace" name="workspace_id"></select></div>
<button type="submit" class="primary">${words.connection_make}</button>
</form>
</section>`;

/** Each page by its path, with the word that is its title. */
export const pages = {
  "sign-in": { title: "sign_in", body: signIn },
  "sign-up": { title: "sign_up", body: signUp },
  recover: { title: "recover", body: recover },
  "reset-password": { title: "reset", body: reset },
  confirm: { title: "confirm", body: confirm },
  account: { title: "account", body: account },
} as const satisfies Record<string, { title: keyof Words; body: (setting: Setting) => Markup }>;
export type PageName = keyof typeof pages;

/** The words that the script says itself. */
const spoken = [
  ...(["show", "hide", "busy", "required", "bad_email", "bad_password", "bad_value", "invalid_credentials"] as const),
  ...(["rate_limit_exceeded", "unreachable", "unexpected", "external_failed", "link_invalid"] as const),
  ...(["confirm_sent", "recover_done", "reset_done", "confirm_done", "sign_in_action"] as const),
  ...([
    "signed_in_as",
    "keys_none",
    "key_scopes_needed",
    "copied",
    "copy",
    "revoke",
    "revoke_sure",
    "revoked",
  ] as const),
  ...(["created", "last_used", "never_used", "connections_none", "connection_personal"] as const),
  ...(["email_refused", "expires", "expired"] as const),
];

/** A whole page, with its script and the words that it says. */
export function page(name: PageName, setting: Setting): string {
  const { language, words, sendsMail } = setting;
  const { title, body } = pages[name];
  const scopes = name === "account" && { scopes: scopeWordsIn[language] };
  const told = JSON.stringify({
    ...Object.fromEntries(spoken.map((key) => [key, words[key]])),
    ...scopes,
    ...(!sendsMail && { recover_done: words.recover_unsent }),
  });
  return frame({
    language,
    words,
    title: words[title],
    name,
    content: body(setting),
    root: "",
    spoken: told,
    needsScript: name !== "sign-in",
  });
}
