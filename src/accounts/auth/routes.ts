import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { accessTokenType } from "../../identity/principal.ts";
import type { Parts } from "../../parts.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { closed, enumeration } from "../../platform/schema.ts";
import { callerOf } from "../../web/access.ts";
import { clientAddress } from "../../web/client-address.ts";
import { page } from "../../web/cursor.ts";
import { errorResponses } from "../../web/errors.ts";
import { languageOf } from "../pages/language.ts";
import {
  AuthTokenRequest,
  LogoutRequest,
  RecoverRequest,
  ResetPasswordRequest,
  SignUpRequest,
  UserUpdate,
  VerifyRequest,
} from "./requests.ts";
import { Session, SessionSummary, User } from "./schema.ts";
import type { Origin } from "./sign-in.ts";

const tags = ["Sign-in"];
const open = { credential: "none" } as const;
const personal = { credential: "Token" } as const;

const userAgent = (request: Request): string | null => request.headers.get("user-agent");
const originOf = (request: Request): Origin => ({ address: clientAddress(request), user_agent: userAgent(request) });
/** What a newcomer's browser asks for, as far as mail is written in it. */
const localeOf = (request: Request): string => languageOf(request.headers.get("accept-language"));

/** A member that the schema leaves open, since it is needed at times only. */
function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw invalid(`/body/${name}`, "is required");
  return value;
}

/** Signing in and up. */
const entryRoutes = ({ access, signIn, signUp, sessions, accounts }: Parts) =>
  new Elysia({ name: "auth.entry", normalize: false })
    .use(access)
    .post(
      "/auth/v1/token",
      async ({ query: { grant_type }, body, request }) =>
        grant_type === "password"
          ? signIn.withPassword(needed(body.email, "email"), needed(body.password, "password"), originOf(request))
          : sessions.refresh(needed(body.refresh_token, "refresh_token")),
      {
        access: open,
        query: T.Object({ grant_type: enumeration("password", "refresh_token") }),
        body: AuthTokenRequest,
        response: { 200: Session, ...errorResponses(401, 422, 429) },
        detail: {
          operationId: "createSession",
          summary: "Sign in, or refresh a session",
          description:
            "`grant_type=password` takes `email` and `password`, `grant_type=refresh_token` takes `refresh_token`. A refresh token is exchanged for the next one; one that is used again later ends its session.",
          tags,
        },
      },
    )
    .post("/auth/v1/signup", ({ body, request }) => signUp.signUp(body, localeOf(request), userAgent(request)), {
      access: open,
      body: SignUpRequest,
      response: { 200: T.Union([Session, User]), ...errorResponses(422, 429) },
      detail: {
        operationId: "signUp",
        summary: "Sign up",
        description:
          "With `invite` in the firm that invites, else in a firm of one's own. The answer is a session, or the user alone where the e-mail address has to be confirmed first.",
        tags,
      },
    })
    .post(
      "/auth/v1/verify",
      ({ body, request }) => {
        const token = body.token ?? body.token_hash;
        return accounts.confirmEmail(needed(token, "token"), userAgent(request));
      },
      {
        access: open,
        body: VerifyRequest,
        response: { 200: Session, ...errorResponses(401, 422) },
        detail: {
          operationId: "verifyEmail",
          summary: "Confirm an e-mail address",
          description: "By the token of the link that was sent to it. It works once, and signs in.",
          tags,
        },
      },
    );

/** What GoTrue's clients may ask to be ended: everything, everything else, or this session (as without it). */
const LogoutQuery = T.Object({ scope: T.Optional(enumeration("global", "local", "others")) });

const leaveRoutes = ({ access, keyring, sessions }: Parts) =>
  new Elysia({ name: "auth.leave", normalize: false }).use(access).post(
    "/auth/v1/logout",
    async ({ query: { scope = "local" }, body, request }) => {
      const bearer = request.headers.get("authorization")?.replace(/^Bearer /, "");
      if (body?.refresh_token !== undefined) await sessions.revokeByRefreshToken(body.refresh_token);
      else if (bearer === undefined) throw invalid("/body/refresh_token", "is required, or an access token as bearer");
      else {
        // A session that has ended before is no mistake: so not by the caller, but by what the token says.
        const { sub, sid } = (await keyring.verifyToken(bearer, accessTokenType)) ?? {};
        if (sub === undefined) throw failure("invalid_api_key");
        const current = typeof sid === "string" ? sid : null;
        if (scope !== "local") await sessions.revokeOf(sub, scope === "others" ? current : null);
        else if (current !== null) await sessions.revoke(sub, current);
      }
      return new Response(null, { status: 204 });
    },
    {
      access: open,
      query: LogoutQuery,
      body: T.Optional(LogoutRequest),
      response: { ...errorResponses(401, 422) },
      detail: {
        operationId: "logout",
        summary: "Sign out",
        description:
          "Ends the session of the refresh token in the body, or of the access token sent as bearer. Its access token stops working at once. A session that is over already is no mistake.",
        tags,
        responses: { 204: { description: "It has ended." } },
      },
    },
  );

const RecoverAnswer = closed({ message: T.String() }, { title: "RecoverAnswer" });
const recoverAnswer = { message: "If there is an account with this address, a link is on its way to it." };

/** Forgotten passwords. */
const recoverRoutes = ({ access, accounts }: Parts) =>
  new Elysia({ name: "auth.recover", normalize: false })
    .use(access)
    .post(
      "/auth/v1/recover",
      ({ body, set }) => {
        accounts.recover(body.email);
        set.status = 202;
        return recoverAnswer;
      },
      {
        access: open,
        body: RecoverRequest,
        response: { 202: RecoverAnswer, ...errorResponses(422) },
        detail: {
          operationId: "recoverPassword",
          summary: "Ask for a link to a new password",
          description: "The answer is the same, after the same time, whether or not there is such an account.",
          tags,
        },
      },
    )
    .post(
      "/auth/v1/reset-password",
      async ({ body }) => {
        await accounts.resetPassword(body.token, body.password);
        return new Response(null, { status: 204 });
      },
      {
        access: open,
        body: ResetPasswordRequest,
        response: { ...errorResponses(401, 422, 429) },
        detail: {
          operationId: "resetPassword",
          summary: "Choose a new password",
          description: "By the token of the link, which is good for an hour and works once. Every session ends.",
          tags,
          responses: { 204: { description: "The password is changed." } },
        },
      },
    );

const updateHook = {
  access: personal,
  body: UserUpdate,
  response: { 200: User, ...errorResponses(401, 422, 429) },
};
const updateWords =
  "Changing the e-mail address or the password asks for `current_password`, or for a sign-in less than five minutes old, and ends the other sessions. A new address may have to be confirmed before it counts.";

/** The person who asks. */
const userRoutes = ({ access, accounts }: Parts) =>
  new Elysia({ name: "auth.user", normalize: false })
    .use(access)
    .get("/auth/v1/user", ({ request }) => accounts.read(callerOf(request)), {
      access: personal,
      response: { 200: User, ...errorResponses(401) },
      detail: { operationId: "getUser", summary: "Read the signed-in user", description: "", tags },
    })
    .patch("/auth/v1/user", ({ body, request }) => accounts.update(callerOf(request), body, originOf(request)), {
      ...updateHook,
      detail: { operationId: "updateUser", summary: "Change the signed-in user", description: updateWords, tags },
    })
    .put("/auth/v1/user", ({ body, request }) => accounts.update(callerOf(request), body, originOf(request)), {
      ...updateHook,
      detail: {
        operationId: "putUser",
        summary: "Change the signed-in user, as GoTrue's clients do",
        description: `The same as PATCH: what is not given stays. ${updateWords}`,
        tags,
      },
    });

const SessionPath = T.Object({ session_id: T.String({ format: "uuid" }) });

/** The person's sign-ins. */
const sessionRoutes = ({ access, sessions }: Parts) =>
  new Elysia({ name: "auth.sessions", normalize: false })
    .use(access)
    .get(
      "/auth/v1/sessions",
      async ({ request }) => {
        const { user_id, session_id } = callerOf(request);
        return { items: await sessions.list(user_id, session_id), next_cursor: null };
      },
      {
        access: personal,
        response: { 200: page(SessionSummary, "SessionList"), ...errorResponses(401) },
        detail: {
          operationId: "listSessions",
          summary: "List one's sessions",
          description: "Every sign-in that has neither ended nor been unused for 30 days, the newest first.",
          tags,
        },
      },
    )
    .delete(
      "/auth/v1/sessions/:session_id",
      async ({ params, request }) => {
        if (!(await sessions.revoke(callerOf(request).user_id, params.session_id))) throw failure("not_found");
        return new Response(null, { status: 204 });
      },
      {
        access: personal,
        params: SessionPath,
        response: { ...errorResponses(401, 404, 422) },
        detail: {
          operationId: "deleteSession",
          summary: "End one of one's sessions",
          description: "Its access token stops working at once.",
          tags,
          responses: { 204: { description: "It has ended." } },
        },
      },
    );

/** The native sign-in. GoTrue's clients find what they look for, as far as the specification allows. */
export const authRoutes = (parts: Parts) =>
  new Elysia({ name: "auth", normalize: false })
    .use(entryRoutes(parts))
    .use(leaveRoutes(parts))
    .use(recoverRoutes(parts))
    .use(userRoutes(parts))
    .use(sessionRoutes(parts));
