import { Type as T } from "@sinclair/typebox";
import type { ApiKeyTable } from "../../../db/schema/tables.ts";
import { definePattern } from "../../platform/validate.ts";

/** Kinds of keys that lists leave out unless requested; keys in regular use are always listed. */
const kinds = ["expired", "revoked", "test"] as const;
type Kind = (typeof kinds)[number];

/** `?include=expired,revoked,test`, in any order. */
export const includeMember = {
  include: T.Optional(
    T.String({
      maxLength: 40,
      pattern: definePattern(
        `^(${kinds.join("|")})(,(${kinds.join("|")}))*$`,
        `must be a comma-separated list of ${kinds.join(", ")}`,
      ),
      description: `Which other keys are included, comma-separated: ${kinds.map((kind) => `\`${kind}\``).join(", ")}.`,
    }),
  ),
};

/** Returns the kinds that a key belongs to; none for a regular one. */
const kindsOf = ({ expires_at, revoked_at, purpose }: ApiKeyTable, now: number): Kind[] => [
  ...(expires_at !== null && expires_at <= now ? (["expired"] as const) : []),
  ...(revoked_at !== null ? (["revoked"] as const) : []),
  ...(purpose === "test" ? (["test"] as const) : []),
];

/** Returns whether a key is in the requested list: all its kinds must be included. */
export const isListed = (key: ApiKeyTable, include: readonly string[], now: number): boolean =>
  kindsOf(key, now).every((kind) => include.includes(kind));
