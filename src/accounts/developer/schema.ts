import { type Static, Type as T } from "@sinclair/typebox";
import { grantableScopes } from "../../contracts/scopes.ts";
import { closed, enumeration, notBlank, nullable } from "../../platform/schema.ts";

const Id = T.String({ format: "uuid" });
const Time = T.String({ format: "date-time" });
const count = () => T.Integer({ minimum: 0 });

export const DeveloperScope = closed(
  {
    name: T.String(),
    description: T.String(),
    access: enumeration("read", "write"),
    grantable: T.Boolean({ description: "Whether the caller may grant it to a key." }),
  },
  { title: "Scope" },
);

const keyProperties = {
  id: Id,
  name: T.String(),
  prefix: T.String({ description: "The beginning of the secret, to tell keys apart." }),
  scopes: T.Array(T.String()),
  workspace_id: Id,
  created_at: Time,
  expires_at: nullable(Time),
  last_used_at: nullable(T.String({ format: "date-time", description: "To the minute." })),
  revoked_at: nullable(Time),
};

/** A key as its owner sees it, without the secret and its hash. */
export const DeveloperApiKey = closed(keyProperties, { title: "ApiKey" });
export type DeveloperApiKey = Static<typeof DeveloperApiKey>;

export const CreatedApiKey = closed(
  { ...keyProperties, secret: T.String({ description: "The key itself. It is returned only once." }) },
  { title: "CreatedApiKey" },
);

export const DeveloperApiKeyCreateRequest = closed(
  {
    name: T.String({ minLength: 1, maxLength: 80, ...notBlank, description: "What the key is for." }),
    scopes: T.Array(enumeration(...grantableScopes), {
      minItems: 1,
      description: "Only scopes that the caller may grant.",
    }),
    workspace_id: T.String({ format: "uuid", description: "The only workspace that the key can access." }),
    expires_at: T.Optional(
      T.String({
        format: "date-time",
        pattern: "([Zz]|[+-]\\d\\d:\\d\\d)$",
        description: "A time in the future (RFC 3339). If absent, the key is valid until revoked.",
      }),
    ),
  },
  { title: "DeveloperApiKeyCreateRequest" },
);
export type DeveloperApiKeyCreateRequest = Static<typeof DeveloperApiKeyCreateRequest>;

/** Only the name can change; for other scopes, create another key. */
export const DeveloperApiKeyChange = closed(
  { name: DeveloperApiKeyCreateRequest.properties.name },
  { title: "DeveloperApiKeyChange" },
);
export type DeveloperApiKeyChange = Static<typeof DeveloperApiKeyChange>;

export const DeveloperUsage = closed(
  {
    period: closed({ from: Time, to: Time }, { description: "From the start of the month (UTC) until now." }),
    calls_total: count(),
    by_key: T.Array(closed({ key_id: Id, name: T.String(), calls: count(), errors: count() }), {
      description: "Includes connections, under their own id and name.",
    }),
    by_tool: T.Array(closed({ tool: T.String(), calls: count(), errors: count(), credits: count() })),
  },
  { title: "DeveloperUsageSummary" },
);
export type DeveloperUsage = Static<typeof DeveloperUsage>;
