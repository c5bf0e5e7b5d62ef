import type { Language } from "../../integrations/mail/texts.ts";
import { deviceOf } from "../account/device.ts";
import type { Workspace } from "../account/schema.ts";
import type { SessionSummary, User } from "../auth/schema.ts";
import type { DeveloperApiKey } from "../developer/schema.ts";
import type { Connection } from "../oauth/schema.ts";
import { frame } from "./frame.ts";
import { html, Markup } from "./html.ts";
import { spokenIn } from "./templates.ts";
import type { Words } from "./words/en.ts";
import { scopeWordsIn } from "./words/scopes.ts";

/** The forms of the account page, with the fields that can show an error. */
export const accountForms = {
  "sign-out": [],
  profile: ["full_name", "locale"],
  email: ["email", "email_password"],
  password: ["password", "current_password"],
  "end-session": [],
  "create-key": ["name", "scopes", "workspace_id"],
  "revoke-key": [],
  "create-connection": ["connection_name", "connection_workspace"],
  "revoke-connection": [],
} as const;
export type AccountForm = keyof typeof accountForms;
export type AccountField = (typeof accountForms)[AccountForm][number];

/** The languages of mail. */
export const mailLanguages = { en: "English", cs: "Čeština", sk: "Slovenčina", de: "Deutsch" } as const;
/** Preselected scopes: enough to find, run and reconcile. */
const usualScopes = ["profile:read", "docs:read", "capabilities:run", "use-cases:run", "runs:read", "account:read"];

/** The outcome of a form, as texts of the page. */
export interface AccountTold {
  /** Success message. */
  readonly done?: keyof Words;
  /** Error message at the top. */
  readonly message?: keyof Words;
  readonly mistakes?: { readonly [name in AccountField]?: keyof Words };
  /** The rejected form, so that only passwords have to be typed again. */
  readonly given?: URLSearchParams;
  /** A secret that is shown once. */
  readonly secret?: { readonly of: "key" | "connection"; readonly text: string };
}

/** Data for rendering the page. */
export interface AccountView {
  readonly language: Language;
  readonly words: Words;
  /** The anti-CSRF token of the page's forms. */
  readonly token: string;
  readonly now: number;
  readonly user: User;
  readonly sessions: readonly SessionSummary[];
  readonly workspaces: readonly Workspace[];
  /** Scopes that the person may grant to a key. */
  readonly grantable: readonly string[];
  readonly keys: readonly DeveloperApiKey[];
  readonly connections: readonly Connection[];
  readonly told: AccountTold;
}

const say = (text: string, value: string): string => text.replace("{name}", () => value);
const dated = ({ language, words }: AccountView, word: keyof Words, time: string): string =>
  say(words[word], new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time)));

/** Renders one of the page's forms, identified by the field `do`. */
const form = ({ token }: AccountView, kind: AccountForm, fields: Markup, own = ""): Markup =>
  html`<form method="post"${own !== "" && html` class="${own}"`}><input type="hidden" name="token" value="${token}"><input type="hidden" name="do" value="${kind}">
${fields}</form>`;

const mistakeAt = ({ words, told }: AccountView, name: AccountField): Markup => {
  const mistake = told.mistakes?.[name];
  return html`<p class="error" id="${name}-error">${mistake && words[mistake]}</p>`;
};
const wrong = ({ told }: AccountView, name: AccountField): Markup | undefined =>
  told.mistakes?.[name] && new Markup(' aria-invalid="true"');

interface Input {
  readonly name: AccountField;
  readonly label: string;
  readonly completion: string;
  /** Initial value. */
  readonly value?: string;
  /** Further attributes, such as limits. */
  readonly more?: string;
  readonly hint?: string;
}

function text(view: AccountView, { name, label, completion, value = "", more = "", hint }: Input): Markup {
  const shown = view.told.given?.get(name) ?? value;
  return html`<div class="field"><label for="${name}">${label}</label>
<div class="input"><input id="${name}" name="${name}" type="${name === "email" ? "email" : "text"}" value="${shown}" autocomplete="${completion}" aria-describedby="${hint !== undefined && `${name}-hint `}${name}-error"${wrong(view, name)}${new Markup(more)}></div>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}${mistakeAt(view, name)}</div>`;
}

function secretInput(view: AccountView, { name, label, completion, more = "", hint }: Input): Markup {
  return html`<div class="field"><label for="${name}">${label}</label>
<div class="input"><input id="${name}" name="${name}" type="password" autocomplete="${completion}" aria-describedby="${name}-hint ${name}-error"${wrong(view, name)}${new Markup(more)}><button type="button" class="toggle" hidden data-scripted data-toggle="${name}" aria-pressed="false" aria-controls="${name}">${view.words.show}</button></div>
<p class="hint" id="${name}-hint">${hint}</p>${mistakeAt(view, name)}</div>`;
}

type Choice = readonly [value: string, label: string];

function choice(view: AccountView, name: AccountField, label: string, choices: readonly Choice[], first = ""): Markup {
  const chosen = view.told.given?.get(name) ?? first;
  const options = choices.map(
    ([value, shown]) => html`<option value="${value}"${value === chosen && new Markup(" selected")}>${shown}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}" aria-describedby="${name}-error"${wrong(view, name)}>${options}</select>${mistakeAt(view, name)}</div>`;
}

const submit = (label: string, kind = "primary"): Markup =>
  html`<button type="submit" class="${kind}">${label}</button>`;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly meta: readonly string[];
  /** Shown in place of the button if there is nothing left to end. */
  readonly over: string | undefined;
}
interface Ending {
  readonly kind: AccountForm;
  readonly action: string;
  readonly sure: string;
}

/** Renders an item that can be ended, with a confirmation that explains the consequences. */
function entry(view: AccountView, { id, name, meta, over }: Entry, { kind, action, sure }: Ending): Markup {
  const sent = html`<input type="hidden" name="id" value="${id}"><p>${say(sure, name)}</p>${submit(action, "secondary")}`;
  return html`<li><div class="told"><strong>${name}</strong><p class="meta">${meta.join(" · ")}</p></div>
${
  over === undefined
    ? html`<details class="sure"><summary aria-label="${action}: ${name}">${action}</summary>${form(view, kind, sent)}</details>`
    : html`<span class="meta">${over}</span>`
}</li>`;
}

const list = (entries: readonly Markup[], none: string): Markup =>
  html`<ul class="keys">${entries.length > 0 ? entries : html`<li class="meta">${none}</li>`}</ul>`;

function person(view: AccountView): Markup {
  const { words, user } = view;
  const hint = words.current_hint;
  return html`<section aria-labelledby="profile-title"><h2 id="profile-title">${words.profile}</h2>
${form(
  view,
  "profile",
  html`${text(view, { name: "full_name", label: words.full_name, completion: "name", value: user.full_name ?? "" })}
${choice(view, "locale", words.mail_language, Object.entries(mailLanguages), user.locale.split("-")[0])}
${submit(words.save)}`,
)}
<h3>${words.email_change}</h3>
${form(
  view,
  "email",
  html`${text(view, { name: "email", label: words.email, completion: "email", value: user.email, more: " required", hint: words.email_change_hint })}
${secretInput(view, { name: "email_password", label: words.current_password, completion: "current-password", hint })}
${submit(words.email_change_action)}`,
)}
<h3>${words.password_change}</h3>
${form(
  view,
  "password",
  html`${secretInput(view, { name: "current_password", label: words.current_password, completion: "current-password", hint })}
${secretInput(view, { name: "password", label: words.new_password, completion: "new-password", hint: words.password_hint, more: ' minlength="12" required' })}
${submit(words.password_change_action)}`,
)}</section>`;
}

function sessions(view: AccountView): Markup {
  const { words } = view;
  const ending = { kind: "end-session", action: words.session_end, sure: words.session_end_sure } as const;
  const entries = view.sessions.map(({ id, user_agent, provider, created_at, last_used_at, current }) => {
    const meta = [...(provider === "email" ? [] : [provider]), dated(view, "session_since", created_at)];
    const used = dated(view, "last_used", last_used_at);
    const over = current ? words.session_this : undefined;
    return entry(
      view,
      { id, name: user_agent === null ? words.session_unknown : deviceOf(user_agent), meta: [...meta, used], over },
      ending,
    );
  });
  return html`<section aria-labelledby="sessions-title"><h2 id="sessions-title">${words.sessions}</h2>
<p class="lead">${words.sessions_lead}</p>
${list(entries, "")}</section>`;
}

/** Renders a secret that is shown once, and focuses it for keyboards and screen readers. */
function secret({ words, told }: AccountView, of: "key" | "connection", lead: string): Markup | false {
  if (told.secret?.of !== of) return false;
  return html`<div class="secret" data-secret="${of}" role="status" tabindex="-1" autofocus><p>${lead}</p><output data-secret-text>${told.secret.text}</output><button type="button" class="secondary" hidden data-scripted data-copy>${words.copy}</button></div>`;
}

const lastUsed = (view: AccountView, time: string | null): string =>
  time === null ? view.words.never_used : dated(view, "last_used", time);
const workspacesOf = ({ workspaces }: AccountView): readonly Choice[] => workspaces.map(({ id, name }) => [id, name]);

function scopeBox({ language, told }: AccountView, name: string): Markup {
  const ticked = told.given?.get("do") === "create-key" ? told.given.getAll("scopes") : usualScopes;
  const words: Readonly<Record<string, string>> = scopeWordsIn[language];
  return html`<label><input type="checkbox" name="scopes" value="${name}"${ticked.includes(name) && new Markup(" checked")}><code>${name}</code><span class="meta">${words[name]}</span></label>`;
}

function keys(view: AccountView): Markup {
  const { words, now } = view;
  const ending = { kind: "revoke-key", action: words.revoke, sure: words.revoke_sure } as const;
  const entries = view.keys.map(({ id, name, prefix, created_at, expires_at, last_used_at, revoked_at }) => {
    const isOver = expires_at !== null && Date.parse(expires_at) <= now;
    const expiry = expires_at === null ? [] : [dated(view, isOver ? "expired" : "expires", expires_at)];
    const meta = [prefix, dated(view, "created", created_at), ...expiry, lastUsed(view, last_used_at)];
    return entry(view, { id, name, meta, over: revoked_at === null ? undefined : words.revoked }, ending);
  });
  return html`<section aria-labelledby="keys-title"><h2 id="keys-title">${words.keys}</h2>
<p class="lead">${words.keys_lead}</p>
${secret(view, "key", words.key_secret)}
${list(entries, words.keys_none)}
<h3>${words.key_new}</h3>
${form(
  view,
  "create-key",
  html`${text(view, { name: "name", label: words.key_name, completion: "off", more: " required" })}
${choice(view, "workspace_id", words.key_workspace, workspacesOf(view))}
<fieldset aria-describedby="scopes-error"><legend>${words.key_scopes}</legend><div class="scopes">${view.grantable.map((scope) => scopeBox(view, scope))}</div>${mistakeAt(view, "scopes")}</fieldset>
${submit(words.key_make)}`,
)}</section>`;
}

function connections(view: AccountView): Markup {
  const { words } = view;
  const ending = { kind: "revoke-connection", action: words.revoke, sure: words.revoke_sure } as const;
  const entries = view.connections.map(({ id, name, kind, created_at, last_used_at, revoked_at }) => {
    const what = kind === "oauth" ? "OAuth" : words.connection_personal;
    const meta = [what, dated(view, "created", created_at), lastUsed(view, last_used_at)];
    return entry(view, { id, name, meta, over: revoked_at === null ? undefined : words.revoked }, ending);
  });
  return html`<section aria-labelledby="connections-title"><h2 id="connections-title">${words.connections}</h2>
<p class="lead">${words.connections_lead}</p>
${secret(view, "connection", words.connection_secret)}
${list(entries, words.connections_none)}
<h3>${words.connection_new}</h3>
<p class="hint">${words.connection_hint}</p>
${form(
  view,
  "create-connection",
  html`${text(view, { name: "connection_name", label: words.connection_name, completion: "off", more: " required" })}
${choice(view, "connection_workspace", words.key_workspace, workspacesOf(view))}
${submit(words.connection_make)}`,
)}</section>`;
}

/** Renders the page. It works without JavaScript, which adds buttons that show passwords and copy secrets. */
export function accountPage(view: AccountView): string {
  const { language, words, user, told } = view;
  const content = html`<p class="message" role="alert">${told.message && words[told.message]}</p>
${told.done && html`<div class="done" role="status"><p>${words[told.done]}</p></div>`}
<div class="who"><p>${say(words.signed_in_as, user.email)}<br><a href="console">${words.to_console}</a></p>${form(view, "sign-out", submit(words.sign_out, "secondary"))}</div>
${keys(view)}
${connections(view)}
${sessions(view)}
${person(view)}`;
  const spoken = JSON.stringify(spokenIn(words, ["show", "hide", "copy", "copied"]));
  return frame({ language, words, title: words.account, name: "account", content, root: "", spoken });
}
