import type { Language } from "../../integrations/mail/texts.ts";
import type { StandingAccess } from "../auth/credentials.ts";
import { frame } from "./frame.ts";
import { html, Markup } from "./html.ts";
import type { Words } from "./words/en.ts";

/** Data for rendering a page. */
export interface Setting {
  readonly language: Language;
  readonly words: Words;
  /** The external provider's name, if configured. */
  readonly provider: string | undefined;
  /** Where a sign-in leads; already checked. */
  readonly next: string;
  /** The query string that links between the pages pass on; empty, or starting with a question mark. */
  readonly search: string;
  /** Whether mail is sent; if not, people ask the operator for links. */
  readonly sendsMail: boolean;
  /** Whether the visitor may create an account. */
  readonly maySignUp: boolean;
  /** The firm that the page's link invites to; undefined if none. */
  readonly invitedTo: string | undefined;
  /** The anti-CSRF token of the page's form. */
  readonly token: string;
  /** The outcome of a form sent without JavaScript. */
  readonly told: Told | undefined;
  /** The access that a reset link's owner may revoke with their new password; undefined if none. */
  readonly revocable: StandingAccess | undefined;
}

/** The input fields of a form. */
export type FieldName = "email" | "password" | "full_name";

/** The outcome of a form, as texts of the page. */
export interface Told {
  readonly status: number;
  /** Success message, shown in place of the form. */
  readonly done?: keyof Words;
  /** Error message, shown above the form. */
  readonly message?: keyof Words;
  /** Error messages, shown at the fields. */
  readonly mistakes?: { readonly [name in FieldName]?: keyof Words };
  /** The submitted values, without passwords, so that they need not be typed again. */
  readonly given: { readonly email: string; readonly full_name: string; readonly revoke_access: boolean };
}

/** Renders a field with its label and its error message. */
function field({ words, told }: Setting, name: FieldName, label: string, completion: string): Markup {
  const value = name === "password" ? "" : (told?.given[name] ?? "");
  const mistake = told?.mistakes?.[name];
  const isPassword = name === "password";
  const type = isPassword ? "password" : name === "email" ? "email" : "text";
  const hint = completion === "new-password" && html`<p class="hint" id="${name}-hint">${words.password_hint}</p>`;
  const bounds = completion === "new-password" ? new Markup(' minlength="12"') : undefined;
  const required = name === "full_name" ? undefined : new Markup(" required");
  const described = hint ? `${name}-hint ${name}-error` : `${name}-error`;
  const toggle =
    isPassword &&
    html`<button type="button" class="toggle" hidden data-scripted data-toggle="${name}" aria-pressed="false" aria-controls="${name}">${words.show}</button>`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="input"><input id="${name}" name="${name}" type="${type}" autocomplete="${completion}" aria-describedby="${described}" autocapitalize="none" spellcheck="false"${value !== "" && html` value="${value}"`}${mistake && new Markup(' aria-invalid="true"')}${required}${bounds}>${toggle}</div>
${hint}<p class="error" id="${name}-error" data-error-of="${name}" aria-live="polite">${mistake && words[mistake]}</p>
</div>`;
}

/** Renders a form, with the outcome of a submission without JavaScript above it or in its place. */
function form(setting: Setting, kind: string, action: string, fields: readonly Markup[], next?: string): Markup {
  const { words, token, told } = setting;
  if (told?.done) {
    const signIn = signsInAfter.has(told.done) && html`<a href="sign-in">${words.sign_in_action}</a>`;
    return html`<div class="done" role="status"><p>${words[told.done]}</p>${signIn}</div>`;
  }
  return html`<form data-form="${kind}"${next !== undefined && html` data-next="${next}"`} method="post" novalidate>
<p class="message" role="alert" data-message>${told?.message && words[told.message]}</p>
<input type="hidden" name="token" value="${token}">
${fields}<button type="submit" class="primary">${action}</button>
</form>
<div class="done" data-done role="status" tabindex="-1" hidden></div>`;
}

/** Outcomes that are followed by signing in. */
const signsInAfter: ReadonlySet<keyof Words> = new Set(["reset_done", "confirm_done"]);

/** Renders the text that introduces a form, unless the form is done. */
const lead = ({ told }: Setting, text: string): Markup | false => !told?.done && html`<p class="lead">${text}</p>`;

function signIn(setting: Setting): Markup {
  const { words, provider, next, search, maySignUp } = setting;
  const fields = [
    field(setting, "email", words.email, "username"),
    field(setting, "password", words.password, "current-password"),
  ];
  return html`${lead(setting, words.sign_in_lead)}
${form(setting, "sign-in", words.sign_in_action, fields, next)}
${
  provider !== undefined &&
  html`<div hidden data-scripted><p class="or"><span>${words.or}</span></p>
<button type="button" class="secondary" data-external="${provider}">${words.continue_with.replace("{name}", provider)}</button></div>`
}
<p class="links"><a href="recover">${words.forgot}</a></p>
${maySignUp && html`<p class="links">${words.no_account} <a href="sign-up${search}">${words.sign_up_action}</a></p>`}`;
}

function signUp(setting: Setting): Markup {
  const { words, next, search, maySignUp, invitedTo } = setting;
  const opened =
    invitedTo === undefined ? words.sign_up_lead : words.sign_up_invited.replace("{name}", () => invitedTo);
  const fields = [
    field(setting, "full_name", words.full_name, "name"),
    field(setting, "email", words.email, "username"),
    field(setting, "password", words.password, "new-password"),
  ];
  return html`${lead(setting, maySignUp ? opened : words.sign_up_closed)}
${maySignUp && form(setting, "sign-up", words.sign_up_action, fields, next)}
<p class="links">${words.have_account} <a href="sign-in${search}">${words.sign_in_action}</a></p>`;
}

function recover(setting: Setting): Markup {
  const { words, sendsMail } = setting;
  return html`${lead(setting, sendsMail ? words.recover_lead : words.recover_ask)}
${form(setting, "recover", sendsMail ? words.recover_action : words.recover_ask_action, [field(setting, "email", words.email, "username")])}
<p class="links"><a href="sign-in">${words.sign_in_action}</a></p>`;
}

/** Renders the option to revoke other access to the account, if there is any, with the numbers. */
function revokeAccess({ words, told, revocable }: Setting): readonly Markup[] {
  if (!revocable || revocable.api_keys + revocable.connections === 0) return [];
  const text = words.reset_revoke
    .replace("{keys}", String(revocable.api_keys))
    .replace("{connections}", String(revocable.connections));
  const checked = told?.given.revoke_access && new Markup(" checked");
  return [
    html`<div class="field"><label><input type="checkbox" name="revoke_access" value="yes"${checked}> <span>${text}</span></label></div>`,
  ];
}

function reset(setting: Setting): Markup {
  const { words } = setting;
  const fields = [field(setting, "password", words.new_password, "new-password"), ...revokeAccess(setting)];
  return html`${form(setting, "reset", words.reset_action, fields)}
<p class="links"><a href="sign-in">${words.sign_in_action}</a></p>`;
}

const confirm = (setting: Setting): Markup => html`${lead(setting, setting.words.confirm_lead)}
${form(setting, "confirm", setting.words.confirm_action, [])}
<p class="links"><a href="sign-in">${setting.words.sign_in_action}</a></p>`;

/** Each page by its path, with the key of its title. */
export const pages = {
  "sign-in": { title: "sign_in", body: signIn },
  "sign-up": { title: "sign_up", body: signUp },
  recover: { title: "recover", body: recover },
  "reset-password": { title: "reset", body: reset },
  confirm: { title: "confirm", body: confirm },
} as const satisfies Record<string, { title: keyof Words; body: (setting: Setting) => Markup }>;
export type PageName = keyof typeof pages;

/** The texts that the script shows. */
const spoken = [
  ...(["show", "hide", "busy", "required", "bad_email", "bad_password", "bad_value", "invalid_credentials"] as const),
  ...(["rate_limit_exceeded", "unreachable", "unexpected", "external_failed", "link_invalid", "no_firm"] as const),
  ...([
    "confirm_sent",
    "recover_done",
    "reset_done",
    "confirm_done",
    "sign_in_action",
    "email_refused",
    "invite_refused",
  ] as const),
];

/** Returns the texts with these keys, for the script. */
export const spokenIn = (words: Words, keys: readonly (keyof Words)[]): Readonly<Record<string, string>> =>
  Object.fromEntries(keys.map((key) => [key, words[key]]));

/** Renders a whole page, with its script and the script's texts. */
export function page(name: PageName, setting: Setting): string {
  const { language, words, sendsMail } = setting;
  const { title, body } = pages[name];
  const told = JSON.stringify({
    ...spokenIn(words, spoken),
    ...(!sendsMail && { recover_done: words.recover_unsent }),
  });
  return frame({ language, words, title: words[title], name, content: body(setting), root: "", spoken: told });
}
