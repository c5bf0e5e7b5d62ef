import type { Store } from "../../../db/store.ts";
import { grantableScopes } from "../../contracts/scopes.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { Failure, failure, statusOf } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Accounts } from "../auth/accounts.ts";
import type { Origin } from "../auth/known-origins.ts";
import type { Sessions } from "../auth/sessions.ts";
import { createOwnKey, revokeOwnKey } from "../developer/keys.ts";
import { createPersonalConnection, revokeOwnConnection } from "../oauth/manage.ts";
import { type AccountField, type AccountForm, type AccountTold, accountForms, mailLanguages } from "./account-page.ts";
import type { Words } from "./words/en.ts";

/** Services used by the forms. */
export interface AccountFormServices {
  readonly accounts: Accounts;
  readonly baseUrl: string;
  readonly mailer: { readonly isConfigured: boolean };
  readonly runtime: Runtime;
  readonly sessions: Sessions;
  readonly store: Store;
}

/** A submitted form, and who sent it. */
export interface SentForm {
  readonly caller: Principal;
  readonly form: URLSearchParams;
  readonly from: Origin;
}

/**
 * The outcome of a form: `told` on the same page if a secret is shown or the form was rejected; otherwise a word for
 * the next page.
 */
export type AccountOutcome = { readonly done: DoneWord } | { readonly told: AccountTold; readonly status: number };

/** Results that the next page may report, passed in its URL. */
const doneWords = ["saved", "confirm_sent", "password_changed", "session_ended", "revoke_done"] as const;
type DoneWord = (typeof doneWords)[number];
/** Returns the result named in the page's URL, or undefined for any other text. */
export const doneWordIn = (given: string | null): DoneWord | undefined => doneWords.find((word) => word === given);

const read = (form: URLSearchParams, name: string): string => form.get(name) ?? "";
/** Omits an empty password, since a recent sign-in can take its place. */
const proof = (form: URLSearchParams, name: AccountField) => {
  const given = read(form, name);
  return given === "" ? {} : { current_password: given };
};

type Carry = (services: AccountFormServices, sent: SentForm) => Promise<AccountOutcome>;

const carry: Readonly<Record<Exclude<AccountForm, "sign-out">, Carry>> = {
  async profile({ accounts }, { caller, form, from }) {
    const locale = read(form, "locale");
    if (!Object.hasOwn(mailLanguages, locale)) return refusedAt({ locale: "bad_value" });
    await accounts.update(caller, { full_name: read(form, "full_name"), locale }, from);
    return { done: "saved" };
  },
  async email({ accounts, mailer }, { caller, form, from }) {
    const email = read(form, "email");
    const { email: before } = await accounts.read(caller);
    const after = await accounts.update(caller, { email, ...proof(form, "email_password") }, from);
    const isUnchanged = before === after.email;
    return { done: isUnchanged && mailer.isConfigured && email.trim() !== before ? "confirm_sent" : "saved" };
  },
  async password({ accounts }, { caller, form, from }) {
    await accounts.update(caller, { password: read(form, "password"), ...proof(form, "current_password") }, from);
    return { done: "password_changed" };
  },
  async "end-session"({ sessions }, { caller, form }) {
    if (!(await sessions.revoke(caller.user_id, read(form, "id")))) throw failure("not_found");
    return { done: "session_ended" };
  },
  async "create-key"({ store, runtime }, { caller, form }) {
    const ticked = form.getAll("scopes");
    const scopes = grantableScopes.filter((scope) => ticked.includes(scope));
    if (scopes.length === 0) return refusedAt({ scopes: "key_scopes_needed" });
    const asked = { name: read(form, "name"), workspace_id: read(form, "workspace_id"), scopes };
    const { secret } = await createOwnKey(store, caller, asked, runtime);
    return { told: { secret: { of: "key", text: secret } }, status: 201 };
  },
  async "revoke-key"({ store, runtime }, { caller, form }) {
    await revokeOwnKey(store, caller, read(form, "id"), runtime.now());
    return { done: "revoke_done" };
  },
  async "create-connection"({ store, runtime, baseUrl }, { caller, form }) {
    const { firm_id, user_id } = caller;
    const act = { actor: actorOf(caller), at: runtime.now(), runtime };
    const given = { name: read(form, "connection_name"), workspace_id: read(form, "connection_workspace") };
    const { url } = await store.write((tx) =>
      createPersonalConnection(tx, act, baseUrl, { firm_id, user_id, ...given }),
    );
    return { told: { secret: { of: "connection", text: url } }, status: 201 };
  },
  async "revoke-connection"({ store, runtime }, { caller, form }) {
    await revokeOwnConnection(store, caller, read(form, "id"), runtime.now());
    return { done: "revoke_done" };
  },
};

const refusedAt = (mistakes: NonNullable<AccountTold["mistakes"]>): AccountOutcome => ({
  told: { mistakes },
  status: 422,
});

/** The API's members that form fields map to, if they are named differently. */
const membersOf: { readonly [name in AccountField]?: string } = {
  email_password: "current_password",
  connection_name: "name",
};
const wordsOf: { readonly [name in AccountField]?: keyof Words } = {
  email: "address_refused",
  password: "bad_password",
  current_password: "current_needed",
  email_password: "current_needed",
};

/** Returns how a failure is shown to the person, or undefined if it is not their mistake. */
function troubleOf(kind: AccountForm, error: unknown): AccountOutcome | undefined {
  if (!(error instanceof Failure)) return undefined;
  const { code, details } = error;
  const status = statusOf(code);
  const fields: readonly AccountField[] = accountForms[kind];
  const proving = fields.find((name) => (membersOf[name] ?? name) === "current_password");
  if (code === "rate_limit_exceeded") return { told: { message: code }, status };
  if (code === "invalid_credentials" && proving) return { told: { mistakes: { [proving]: "current_wrong" } }, status };
  if (code === "not_found") return { told: { message: "gone" }, status };
  if (code !== "validation_error") return undefined;
  const wrong = fields.filter((name) => details.some(({ path }) => path.split("/")[2] === (membersOf[name] ?? name)));
  const mistakes = Object.fromEntries(wrong.map((name) => [name, wordsOf[name] ?? "bad_value"] as const));
  return { told: wrong.length > 0 ? { mistakes } : { message: "unexpected" }, status };
}

/** Returns whether there is such a form, excluding sign-out, which is handled with the session. */
export const isAccountForm = (kind: string): kind is keyof typeof carry => Object.hasOwn(carry, kind);

/** Carries out a form for the person whose session it was shown in, which has already been checked. */
export async function carryOutAccount(
  services: AccountFormServices,
  kind: keyof typeof carry,
  sent: SentForm,
): Promise<AccountOutcome> {
  try {
    return await carry[kind](services, sent);
  } catch (error) {
    const trouble = troubleOf(kind, error);
    if (!trouble) throw error;
    return trouble;
  }
}
