import { Type as T } from "@sinclair/typebox";
import type { Store } from "../../../db/store.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { Failure, failure, statusOf } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { clientAddress } from "../../web/client-address.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { ExternalSignIn } from "../auth/external.ts";
import type { Redirects } from "../auth/external-redirect.ts";
import type { FormTokens } from "../auth/form-token.ts";
import { remember } from "../auth/known-origins.ts";
import type { SignIn } from "../auth/sign-in.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import { assets, edition, pageHeaders } from "./frame.ts";
import { languageOf, wordsIn } from "./language.ts";
import { type PageName, page, pages, type Told } from "./templates.ts";

/** What the pages are served by. */
interface PageRoutesServices {
  readonly browser: BrowserSessions;
  readonly external: ExternalSignIn;
  readonly redirects: Redirects;
  readonly mailer: Pick<Mailer, "isConfigured">;
  readonly formTokens: FormTokens;
  readonly signIn: SignIn;
  readonly store: Store;
  readonly runtime: Runtime;
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

/** Where the request's page leads on to: what it asks for where that is ours or allowed, else the account. */
function nextOf(redirects: Redirects, request: Request): { readonly next: string; readonly search: string } {
  const wanted = new URL(request.url).searchParams.get("redirect_to");
  const next = wanted === null ? undefined : redirects.allowed(wanted);
  return {
    next: next ?? "account",
    search: next === undefined ? "" : `?redirect_to=${encodeURIComponent(next)}`,
  };
}

/** Shows a page; `told` where a form came back that could not be carried out. */
function show(services: PageRoutesServices, name: PageName, request: Request, told?: Told): Response {
  const { external, redirects, formTokens, mailer, signUpMode } = services;
  const language = languageOf(request.headers.get("accept-language"));
  const provider = external.isOffered ? external.name : undefined;
  const { next, search } = nextOf(redirects, request);
  const token = name === "sign-in" ? formTokens.issue(request) : "";
  const isInvited = new URL(request.url).searchParams.has("invite");
  const maySignUp = signUpMode === "open" || (signUpMode === "invited" && isInvited);
  const setting = {
    ...{ language, words: wordsIn[language], provider, next, search, token, told, maySignUp },
    sendsMail: mailer.isConfigured,
  };
  // A form's redirects count as its own in browsers: an address elsewhere that the operator allows is one.
  const away = URL.parse(next)?.origin;
  const headers = pageHeaders(language, name === "sign-in" && away ? `'self' ${away}` : "'self'");
  return new Response(page(name, setting), { status: told?.status ?? 200, headers });
}

/** What a person is told of a failed sign-in; undefined for what is no mistake of theirs. */
function troubleOf(error: unknown): Omit<Told, "email"> | undefined {
  if (!(error instanceof Failure)) return undefined;
  if (error.code !== "invalid_credentials" && error.code !== "rate_limit_exceeded") return undefined;
  return { message: error.code, status: statusOf(error.code) };
}

/** The sign-in's form as a browser without scripts sends it: signed in and led on, or shown the page with what is wrong. */
async function signInByForm(services: PageRoutesServices, request: Request): Promise<Response> {
  const { browser, formTokens, redirects, signIn, store, runtime } = services;
  const form = new URLSearchParams(await request.text());
  const [email = "", password = "", token = ""] = ["email", "password", "token"].map((name) => form.get(name) ?? "");
  const again = (told: Omit<Told, "email">) => show(services, "sign-in", request, { ...told, email });
  if (!formTokens.isOwn(request, token)) return again({ message: "form_stale", status: 403 });
  if (email.trim() === "" || password === "") return again({ message: "form_incomplete", status: 422 });
  try {
    const mark = browser.markOf(request);
    const from = { address: clientAddress(request), user_agent: request.headers.get("user-agent"), browser: mark };
    const session = await signIn.withPassword(email, password, from);
    await store.write((tx) => remember(tx, session.user.id, from, runtime.now()));
    browser.keepMark(request, mark);
    // Whoever signs in over a session ends it, as `POST /session` does.
    await browser.end(request);
    browser.start(request, session);
  } catch (error) {
    const trouble = troubleOf(error);
    if (!trouble) throw error;
    return again(trouble);
  }
  const headers = { location: nextOf(redirects, request).next, "cache-control": "no-store" };
  return new Response(null, { status: 303, headers });
}

/**
 * The pages by which people sign up and in, and see their account. They use the public API and `/session` alone; signing
 * in works without a script too.
 */
export function pageRoutes(services: PageRoutesServices): Route[] {
  const shown = (Object.keys(pages) as PageName[]).map((name) =>
    defineRoute({
      method: "GET",
      path: `/${name}`,
      ...hidden,
      handler: ({ request }) => {
        if (name !== "account" || services.browser.has(request)) return show(services, name, request);
        return new Response(null, { status: 302, headers: { location: "sign-in", "cache-control": "no-store" } });
      },
    }),
  );
  const signIn = defineRoute({
    method: "POST",
    path: "/sign-in",
    ...hidden,
    ownInput: {},
    handler: ({ request }) => signInByForm(services, request),
  });
  return [...shown, signIn, assetRoute];
}
