import { Type as T } from "@sinclair/typebox";
import { firmById } from "../../../db/queries/firms.ts";
import { invitationByHash } from "../../../db/queries/invitations.ts";
import type { Store } from "../../../db/store.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { Failure, failure } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { clientAddress } from "../../web/client-address.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { ExternalSignIn } from "../auth/external.ts";
import type { Redirects } from "../auth/external-redirect.ts";
import type { FormTokens } from "../auth/form-token.ts";
import { type Origin, remember } from "../auth/known-origins.ts";
import type { Session } from "../auth/schema.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import { type AccountRoutesServices, accountRoutes } from "./account-routes.ts";
import { carryOut, type FormPage, type FormServices, formPages, givenIn, isFormPage, linkSecret } from "./forms.ts";
import { assets, edition, pageHeaders } from "./frame.ts";
import { languageOf, wordsIn } from "./language.ts";
import { type PageName, page, pages, type Told } from "./templates.ts";

/** Services used by the page routes. */
interface PageRoutesServices extends FormServices, AccountRoutesServices {
  readonly browser: BrowserSessions;
  readonly external: ExternalSignIn;
  readonly redirects: Redirects;
  readonly mailer: Pick<Mailer, "isConfigured">;
  readonly formTokens: FormTokens;
  readonly store: Store;
  readonly runtime: Runtime;
  readonly sessions: Sessions;
  readonly signUpMode: SignUpMode;
}

const hidden = { access: { credential: "none" }, detail: "hidden" } as const;

/** Scripts and styles. Their URLs change with their content, so that they can be cached for a year. */
const assetRoute = defineRoute({
  method: "GET",
  path: "/pages/assets/:edition/:name",
  ...hidden,
  params: T.Object({ edition: T.String(), name: T.String() }),
  handler: ({ params }) => {
    const asset = Object.hasOwn(assets, params.name) ? assets[params.name] : undefined;
    if (!asset || params.edition !== edition) throw failure("not_found");
    return new Response(asset.text, {
      headers: {
        "content-type": asset.type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
      },
    });
  },
});

/** Returns where the page leads to: the requested URL if allowed, otherwise `otherwise`. */
function nextOf(
  redirects: Redirects,
  request: Request,
  otherwise: "console" | "account",
): { readonly next: string; readonly search: string } {
  const wanted = new URL(request.url).searchParams.get("redirect_to");
  const next = wanted === null ? undefined : redirects.allowed(wanted);
  return {
    // A person who came by localhost stays there, because the session cookie belongs to that host.
    next: next === undefined ? otherwise : redirects.fromHere(next),
    search: next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`,
  };
}

/** Returns the access that a reset link's owner may revoke; undefined on other pages and for an invalid link. */
async function revocableOf({ accounts }: PageRoutesServices, name: PageName, request: Request) {
  const token = name === "reset-password" && linkSecret(request, "token");
  if (!token) return undefined;
  try {
    return await accounts.resettable(token);
  } catch (error) {
    if (error instanceof Failure && error.code === "invalid_credentials") return undefined;
    throw error;
  }
}

/** Returns the firm that the link invites to, or undefined if there is no open invitation. */
async function invitedTo({ store, runtime }: PageRoutesServices, name: PageName, request: Request) {
  const secret = name === "sign-up" ? linkSecret(request, "invite") : undefined;
  const found = secret === undefined ? undefined : await invitationByHash(store.read, sha256Hex(secret));
  if (!found || found.accepted_at !== null || found.expires_at <= runtime.now()) return undefined;
  return (await firmById.first(store.read, { id: found.firm_id }))?.name;
}

/** Renders a page; `told` is the outcome of its form, if it was submitted. */
async function show(services: PageRoutesServices, name: PageName, request: Request, told?: Told): Promise<Response> {
  const { external, redirects, formTokens, mailer, signUpMode } = services;
  const language = languageOf(request.headers.get("accept-language"));
  const provider = external.isOffered ? external.name : undefined;
  const { next, search } = nextOf(redirects, request, "console");
  const token = isFormPage(name) ? formTokens.issue(request) : "";
  const isInvited = linkSecret(request, "invite") !== undefined;
  const maySignUp = signUpMode === "open" || (signUpMode === "invited" && isInvited);
  const setting = {
    ...{ language, words: wordsIn[language], provider, next, search, token, told, maySignUp },
    invitedTo: await invitedTo(services, name, request),
    revocable: told?.done ? undefined : await revocableOf(services, name, request),
    sendsMail: mailer.isConfigured,
  };
  // Browsers apply `form-action` to a form's redirects too, and the operator may allow one to another origin.
  const away = URL.parse(next)?.origin;
  const leadsOn = name === "sign-in" || name === "sign-up";
  const headers = pageHeaders(language, leadsOn && away ? `'self' ${away}` : "'self'");
  return new Response(page(name, setting), { status: told?.status ?? 200, headers });
}

/** Signs the browser in with the session that its form opened, and redirects. */
async function enter(services: PageRoutesServices, request: Request, session: Session, from: Origin) {
  const { browser, redirects, store, runtime } = services;
  await store.write((tx) => remember(tx, session.user.id, from, runtime.now()));
  if (from.browser !== undefined) browser.keepMark(request, from.browser);
  // Signing in over an existing session ends it, as with `POST /session`.
  await browser.end(request);
  browser.start(request, session);
  // The console needs JavaScript; the account page does not.
  const headers = { location: nextOf(redirects, request, "account").next, "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
}

/** Handles a form sent without JavaScript: carries it out, or shows it again with the errors. */
async function sendForm(services: PageRoutesServices, name: FormPage, request: Request): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const given = givenIn(form);
  const again = (told: Omit<Told, "given">) => show(services, name, request, { ...told, given });
  if (!services.formTokens.isOwn(request, form.get("token") ?? ""))
    return again({ message: "form_stale", status: 403 });
  const user_agent = request.headers.get("user-agent");
  const from = { address: clientAddress(request), user_agent, browser: services.browser.markOf(request) };
  const outcome = await carryOut(services, name, { request, form, from });
  return "session" in outcome ? enter(services, request, outcome.session, from) : again(outcome);
}

/** The pages for signing up, signing in and the account. All work without JavaScript. */
export function pageRoutes(services: PageRoutesServices): Route[] {
  const shown = (Object.keys(pages) as PageName[]).map((name) =>
    defineRoute({
      method: "GET",
      path: `/${name}`,
      ...hidden,
      handler: ({ request }) => show(services, name, request),
    }),
  );
  const sent = formPages.map((name) =>
    defineRoute({
      method: "POST",
      path: `/${name}`,
      ...hidden,
      ownInput: {},
      handler: ({ request }) => sendForm(services, name, request),
    }),
  );
  return [...shown, ...sent, ...accountRoutes(services), assetRoute];
}
