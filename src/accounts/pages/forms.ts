import { Failure, statusOf } from "../../platform/errors.ts";
import { checkedEmail } from "../admin/users.ts";
import type { Accounts } from "../auth/accounts.ts";
import type { Origin } from "../auth/known-origins.ts";
import type { Session } from "../auth/schema.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { SignIn } from "../auth/sign-in.ts";
import type { SignUp } from "../auth/sign-up.ts";
import { languageOf } from "./language.ts";
import type { FieldName, Told } from "./templates.ts";
import type { Words } from "./words/en.ts";

/** Services used by the forms. */
export interface FormServices {
  readonly accounts: Accounts;
  readonly mailer: { readonly isConfigured: boolean };
  readonly sessions: Pick<Sessions, "revokeByRefreshToken">;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
}

/** A submitted form, and who sent it. */
interface Sent {
  readonly request: Request;
  readonly form: URLSearchParams;
  readonly from: Origin;
}

/** A session, or what the page shows. */
type Outcome = { readonly session: Session } | Omit<Told, "given">;

const read = (form: URLSearchParams, name: string): string => form.get(name) ?? "";
const finished = (done: keyof Words): Outcome => ({ done, status: 200 });
const incomplete = (...names: readonly FieldName[]): Outcome => ({
  mistakes: Object.fromEntries(names.map((name) => [name, "required"] as const)),
  status: 422,
});

/** Returns the secret of the link that led to the page. */
export const linkSecret = (request: Request, name: "token" | "invite"): string | undefined =>
  new URL(request.url).searchParams.get(name) ?? undefined;

/** Returns the submitted values that may be shown again: everything but the password. */
export const givenIn = (form: URLSearchParams): Told["given"] => ({
  email: read(form, "email"),
  full_name: read(form, "full_name"),
  revoke_access: form.has("revoke_access"),
});

async function signIn(services: FormServices, { form, from }: Sent): Promise<Outcome> {
  const [email, password] = [read(form, "email"), read(form, "password")];
  if (email.trim() === "" || password === "") return { message: "form_incomplete", status: 422 };
  return { session: await services.signIn.withPassword(email, password, from) };
}

async function signUp(services: FormServices, { request, form, from }: Sent): Promise<Outcome> {
  const [email, password] = [read(form, "email"), read(form, "password")];
  const missing = (["email", "password"] as const).filter((name) => read(form, name).trim() === "");
  if (missing.length > 0) return incomplete(...missing);
  const person = { email, password, full_name: read(form, "full_name"), invite: linkSecret(request, "invite") };
  const made = await services.signUp.signUp(person, languageOf(request.headers.get("accept-language")), from);
  return "access_token" in made ? { session: made } : finished("confirm_sent");
}

async function recover({ accounts, mailer }: FormServices, { form }: Sent): Promise<Outcome> {
  const email = read(form, "email");
  if (email.trim() === "") return incomplete("email");
  accounts.recover(checkedEmail(email, "/body/email"));
  return finished(mailer.isConfigured ? "recover_done" : "recover_unsent");
}

async function reset({ accounts }: FormServices, { request, form }: Sent): Promise<Outcome> {
  const password = read(form, "password");
  if (password === "") return incomplete("password");
  await accounts.resetPassword(linkSecret(request, "token") ?? "", password, form.has("revoke_access"));
  return finished("reset_done");
}

async function confirm({ accounts, sessions }: FormServices, { request, from }: Sent): Promise<Outcome> {
  const made = await accounts.confirmEmail(linkSecret(request, "token") ?? "", from.user_agent);
  // A new person's link also opens a session, but the person with the link may not know the password.
  if ("refresh_token" in made) await sessions.revokeByRefreshToken(made.refresh_token);
  return finished("confirm_done");
}

const forms = { "sign-in": signIn, "sign-up": signUp, recover, "reset-password": reset, confirm } as const;
/** A page whose form works without JavaScript. */
export type FormPage = keyof typeof forms;
export const formPages = Object.keys(forms) as readonly FormPage[];
/** Returns whether the page has such a form. */
export const isFormPage = (name: string): name is FormPage => Object.hasOwn(forms, name);

/** A sign-up never reveals that an address is taken; at a sign-in, the error means that the person has no firm. */
const emailRefusals: { readonly [page in FormPage]?: keyof Words } = {
  "sign-up": "email_refused",
  "sign-in": "no_firm",
};

/** Returns the error message of each field. */
const refusals = (name: FormPage): { readonly [field in FieldName]: keyof Words } => ({
  email: emailRefusals[name] ?? "bad_email",
  password: "bad_password",
  full_name: "bad_value",
});
/** The error messages for a rejected link secret. */
const linkMembers: ReadonlyMap<string, keyof Words> = new Map([
  ["/body/invite", "invite_refused"],
  ["/body/token", "link_invalid"],
]);

/** Returns how a failure is shown to the person, or undefined if it is not their mistake. */
function troubleOf(name: FormPage, error: unknown): Outcome | undefined {
  if (!(error instanceof Failure)) return undefined;
  const { code, details } = error;
  const status = statusOf(code);
  if (code === "rate_limit_exceeded") return { message: code, status };
  if (code === "invalid_credentials") return { message: name === "sign-in" ? code : "link_invalid", status };
  if (code !== "validation_error") return undefined;
  const [refused] = details.flatMap(({ path }) => linkMembers.get(path) ?? []);
  if (refused) return { message: refused, status };
  const wrong = Object.entries(refusals(name)).filter(([field]) =>
    details.some(({ path }) => path === `/body/${field}`),
  );
  return wrong.length > 0 ? { mistakes: Object.fromEntries(wrong), status } : { message: "unexpected", status };
}

/** Carries out a form, whose token has already been checked. */
export async function carryOut(services: FormServices, name: FormPage, sent: Sent): Promise<Outcome> {
  try {
    return await forms[name](services, sent);
  } catch (error) {
    const trouble = troubleOf(name, error);
    if (!trouble) throw error;
    return trouble;
  }
}
