import { Type as T, type TProperties } from "@sinclair/typebox";
import { definePattern, languageTag } from "../../platform/validate.ts";
import { passwordLength } from "./passwords.ts";

/** Bodies on `/auth/v1` ignore unknown members, which GoTrue's clients send. */
const open = <P extends TProperties>(properties: P, title: string) =>
  T.Object(properties, { title, additionalProperties: true });

const Email = T.String({ maxLength: 254 });
const NewPassword = T.String({ ...passwordLength, description: "Must not be a common password." });
/** A password that is only verified, and never hashed beyond the maximum length. */
const GivenPassword = T.String({ maxLength: passwordLength.maxLength });
const Secret = T.String({ maxLength: 200 });
const FullName = T.String({
  maxLength: 120,
  pattern: definePattern("^[^\\u0000-\\u001f\\u007f]*$", "must not contain control characters"),
});
const Locale = T.String({ maxLength: 35, pattern: languageTag });

export const AuthTokenRequest = {
  ...open(
    {
      email: T.Optional(Email),
      password: T.Optional(GivenPassword),
      refresh_token: T.Optional(Secret),
    },
    "AuthTokenRequest",
  ),
  examples: [{ email: "ada@example.com", password: "correct horse battery staple" }],
};

export const SignUpRequest = open(
  { email: Email, password: NewPassword, full_name: T.Optional(FullName), invite: T.Optional(Secret) },
  "SignUpRequest",
);

export const UserUpdate = open(
  {
    email: T.Optional(Email),
    password: T.Optional(NewPassword),
    current_password: T.Optional(GivenPassword),
    full_name: T.Optional(FullName),
    locale: T.Optional(Locale),
  },
  "UserUpdate",
);

export const LogoutRequest = open({ refresh_token: T.Optional(Secret) }, "LogoutRequest");

export const RecoverRequest = open({ email: Email }, "RecoverRequest");

export const ResetPasswordRequest = open(
  {
    token: Secret,
    password: NewPassword,
    revoke_access: T.Optional(T.Boolean({ description: "Revoke the person's API keys and connections too." })),
  },
  "ResetPasswordRequest",
);

export const ResetLinkRequest = open({ token: Secret }, "ResetLinkRequest");

export const VerifyRequest = open(
  {
    token: T.Optional(Secret),
    token_hash: T.Optional(T.String({ maxLength: 200, description: "The token, under GoTrue's name." })),
  },
  "VerifyRequest",
);
