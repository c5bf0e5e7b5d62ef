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

/** What the pages are served by. */
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

/** Scripts and styles: another edition has other addresses, so that each may be kept for a year. */
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

/** Where the request's page leads on to: what it asks for where that is ours or allowed, else `otherwise`. */
function nextOf(
  redirects: Redirects,
  request: Request,
  otherwise: "console" | "account",
): { readonly next: string; readonly search: string } {
  const wanted = new URL(request.url).searchParams.get("redirect_to");
  const next = wanted === null ? undefined : redirects.allowed(wanted);
  return {
    // Who came by localhost stays there: the session's cookie is that host's alone.
    next: next === undefined ? otherwise : redirects.fromHere(next),
    search: next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`,
  };
}

/** What a reset link's person may have revoked; undefined on every other page and with a link that is no longer good. */
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

/** The firm that the link invites into; undefined where it invites into none, or no longer. */
async function invitedTo({ store, runtime }: PageRoutesServices, name: PageName, request: Request) {
  const secret = name === "sign-up" ? linkSecret(request, "invite") : undefined;
  const found = secret === undefined ? undefined : await invitationByHash(store.read, sha256Hex(secret));
  if (!found || found.accepted_at !== null || found.expires_at <= runtime.now()) return undefined;
  return (await firmById.first(store.read, { id: found.firm_id }))?.name;
}

/** Shows a page; `told` where its form was sent, and what came of it. */
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
  // A form's redirects count as its own in browsers: an address elsewhere that the operator allows is one.
  const away = URL.parse(next)?.origin;
  const leadsOn = name === "sign-in" || name === "sign-up";
  const headers = pageHeaders(language, leadsOn && away ? `'self' ${away}` : "'self'");
  return new Response(page(name, setting), { status: told?.status ?? 200, headers });
}

/** Signs the browser in with the session that its form gave, and leads on. */
async function enter(services: PageRoutesServices, request: Request, session: Session, from: Origin) {
  const { browser, redirects, store, runtime } = services;
  await store.write((tx) => remember(tx, session.user.id, from, runtime.now()));
  if (from.browser !== undefined) browser.keepMark(request, from.browser);
  // Whoever signs in over a session ends it, as `POST /session` does.
  await browser.end(request);
  browser.start(request, session);
  // Without scripts there is no console; the account's page works without any.
  const headers = { location: nextOf(redirects, request, "account").next, "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
}

/** A page's form as a browser without scripts sends it: carried out, or shown once more with what is wrong. */
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

/** The pages by which people sign up and in, and see their account. All of them work without a script too. */
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
