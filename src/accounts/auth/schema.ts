import { type Static, Type as T } from "@sinclair/typebox";
import type { UserTable } from "../../../db/schema/tables.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { closed, nullable } from "../../platform/schema.ts";

const Time = T.String({ format: "date-time" });

/** A person's own account. Field names are GoTrue's, so that its clients work. */
export const User = closed(
  {
    id: T.String({ format: "uuid" }),
    email: T.String(),
    email_confirmed_at: nullable(Time),
    full_name: nullable(T.String()),
    locale: T.String(),
    created_at: Time,
    updated_at: Time,
    last_sign_in_at: nullable(Time),
    app_metadata: closed({
      provider: T.String(),
      providers: T.Array(T.String()),
      operator: T.Boolean({
        description: "Whether the person is an operator of the installation and may use `/v1/operator`.",
      }),
    }),
    user_metadata: closed({}),
  },
  { title: "User" },
);
export type User = Static<typeof User>;

/** The response to a sign-in. */
export const Session = closed(
  {
    access_token: T.String({ description: "A JWT (ES256), to be sent as a bearer token." }),
    token_type: T.Literal("bearer"),
    expires_in: T.Integer({ description: "Seconds until the access token expires." }),
    expires_at: T.Integer({ description: "When the access token expires, in Unix seconds." }),
    refresh_token: T.String({ description: "Can be used once." }),
    user: User,
  },
  { title: "Session" },
);
export type Session = Static<typeof Session>;

/** The response to confirming a changed address, without a session. */
export const Confirmed = closed({ user: User }, { title: "Confirmed" });
export type Confirmed = Static<typeof Confirmed>;

/** A sign-in, as listed for its owner. */
export const SessionSummary = closed(
  {
    id: T.String({ format: "uuid" }),
    provider: T.String({ description: "`email`, the external provider's name, or `cli` for the command line." }),
    user_agent: nullable(T.String({ description: "What the browser or program called itself." })),
    created_at: Time,
    last_used_at: Time,
    current: T.Boolean({ description: "Whether it is the session of this request." }),
  },
  { title: "SessionSummary" },
);
export type SessionSummary = Static<typeof SessionSummary>;

/** The provider name of password sign-ins, in `app_metadata` and sessions. */
export const emailProvider = "email";
/** The provider name of the authorised command line, which is neither a personal sign-in nor a browser's session. */
export const programProvider = "cli";

/** Returns a person's row as the API shows it. `provider` is that of the session in use. */
export function userRecord(user: UserTable, provider: string = emailProvider): User {
  const others = user.password_hash !== null && provider !== emailProvider ? [emailProvider] : [];
  return {
    id: user.id,
    email: user.email,
    email_confirmed_at: rfc3339OrNull(user.email_confirmed_at),
    full_name: user.full_name,
    locale: user.locale,
    created_at: rfc3339(user.created_at),
    updated_at: rfc3339(user.updated_at),
    last_sign_in_at: rfc3339OrNull(user.last_sign_in_at),
    app_metadata: { provider, providers: [provider, ...others], operator: user.is_operator === 1 },
    user_metadata: {},
  };
}
