import { apiKeysOfUser } from "../../../db/queries/api-keys.ts";
import { connectionsOfUser } from "../../../db/queries/oauth-connections.ts";
import { grantableScopes } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { clientAddress } from "../../web/client-address.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { workspacesFor } from "../account/workspaces.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { FormTokens } from "../auth/form-token.ts";
import { keyRecord } from "../developer/keys.ts";
import { connectionRecord } from "../oauth/schema.ts";
import { type AccountFormServices, carryOutAccount, doneWordIn, isAccountForm } from "./account-forms.ts";
import { type AccountTold, accountPage } from "./account-page.ts";
import { pageHeaders } from "./frame.ts";
import { languageOf, wordsIn } from "./language.ts";

/** Services used by these routes. */
export interface AccountRoutesServices extends AccountFormServices {
  readonly browser: BrowserSessions;
  readonly formTokens: FormTokens;
}

const goTo = (location: string, status: 302 | 303): Response =>
  new Response(null, { status, headers: { location, "cache-control": "no-store" } });
const sessionOf = ({ session_id }: Principal): string => present(session_id ?? undefined, "the session of a cookie");

async function show(
  services: AccountRoutesServices,
  request: Request,
  caller: Principal,
  told: AccountTold,
  status = 200,
): Promise<Response> {
  const { accounts, formTokens, runtime, sessions, store } = services;
  const { firm_id, user_id } = caller;
  const language = languageOf(request.headers.get("accept-language"));
  const keys = await apiKeysOfUser(store.read, firm_id, user_id);
  const text = accountPage({
    ...{ language, words: wordsIn[language], told, now: runtime.now() },
    token: formTokens.issue(request, sessionOf(caller)),
    user: await accounts.read(caller),
    sessions: await sessions.list(user_id, caller.session_id),
    workspaces: await workspacesFor(store.read, caller),
    grantable: grantableScopes.filter((scope) => caller.scopes.has(scope)),
    keys: keys.filter(({ purpose }) => purpose !== "test").map(keyRecord),
    connections: (await connectionsOfUser(store.read, firm_id, user_id)).map(connectionRecord),
  });
  return new Response(text, { status, headers: pageHeaders(language) });
}

/** Carries out a submitted form. Success is reported by the page redirected to, so that a reload does not repeat it. */
async function send(services: AccountRoutesServices, request: Request): Promise<Response> {
  const { browser, formTokens } = services;
  const form = new URLSearchParams(await request.text());
  const caller = await browser.holder(request);
  if (!caller) return goTo("sign-in", 303);
  const kind = form.get("do") ?? "";
  if (!formTokens.isOwn(request, form.get("token") ?? "", sessionOf(caller)))
    return show(services, request, caller, { message: "form_stale", given: form }, 403);
  if (kind === "sign-out") {
    await browser.end(request);
    return goTo("sign-in", 303);
  }
  if (!isAccountForm(kind)) return show(services, request, caller, { message: "unexpected" }, 422);
  const user_agent = request.headers.get("user-agent");
  const from = { address: clientAddress(request), user_agent, browser: browser.markOf(request) };
  const outcome = await carryOutAccount(services, kind, { caller, form, from });
  if ("done" in outcome) return goTo(`account?done=${outcome.done}`, 303);
  const { told, status } = outcome;
  return show(services, request, caller, told.secret ? told : { ...told, given: form }, status);
}

const hidden = { path: "/account", access: { credential: "none" }, detail: "hidden" } as const;

/** The account page, made of plain forms: profile, password, sessions, keys and connections. */
export const accountRoutes = (services: AccountRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    ...hidden,
    async handler({ request }) {
      const caller = await services.browser.holder(request);
      if (!caller) return goTo("sign-in", 302);
      const done = doneWordIn(new URL(request.url).searchParams.get("done"));
      return show(services, request, caller, done ? { done } : {});
    },
  }),
  defineRoute({ method: "POST", ...hidden, ownInput: {}, handler: ({ request }) => send(services, request) }),
];
