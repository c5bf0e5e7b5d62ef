import { existsSync, readFileSync } from "node:fs";
import { Kind, type Static, Type as T, type TSchema } from "@sinclair/typebox";
import { Errors } from "@sinclair/typebox/errors";
import { servedByModels } from "../integrations/models/served.ts";
import { authorityOf } from "../integrations/outbound/url.ts";
import { net } from "../platform/builtins.ts";
import { closed, enumeration } from "../platform/schema.ts";
import { reasonFor } from "../platform/system-errors.ts";
// Registers the formats that settings are checked against.
import "../platform/validate.ts";
import { variablesIn } from "./environment-file.ts";
import { commaList, isListSetting, operationSettings } from "./operation.ts";

/**
 * The configuration schema, filled from `assay.toml`, `ASSAY_*` variables and flags, the later taking precedence.
 * `description` says what is allowed, for error messages.
 */
export const Settings = closed({
  host: T.String({
    minLength: 1,
    maxLength: 255,
    default: "127.0.0.1",
    description: "an IP address or host name to listen on",
  }),
  port: T.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8_787,
    description: "a whole number from 0 to 65535; 0 picks any free port",
  }),
  data: T.String({
    minLength: 1,
    maxLength: 4_096,
    default: "./assay-data",
    description: "the path of the data folder, which holds the database and the master key",
  }),
  base_url: T.Optional(
    T.String({
      format: "uri",
      pattern: "^https?://[^/?#@\\s]+(/[^?#\\s]*[^/?#\\s])?$",
      description: "the public http or https address, without credentials, query or trailing slash",
    }),
  ),
  log_level: {
    ...enumeration("debug", "info", "warn", "error"),
    default: "info",
    description: "the lowest level to log: debug, info, warn or error",
  },
  body_limit: T.Integer({
    minimum: 1_024,
    maximum: 67_108_864,
    default: 1_048_576,
    description: "the largest request body in bytes, a whole number from 1024 to 67108864",
  }),
  master_key: T.Optional(
    T.String({
      pattern: "^[A-Za-z0-9+/]{43}=$",
      description: "32 random bytes in base64, as `openssl rand -base64 32` prints them; replaces the file master.key",
    }),
  ),
  shutdown_grace_seconds: T.Integer({
    minimum: 0,
    maximum: 600,
    default: 10,
    description: "seconds to let running work finish at shutdown, a whole number from 0 to 600",
  }),
  sign_up: {
    ...enumeration("open", "invited", "off"),
    default: "invited",
    description: "who may create an account: open (anyone), invited (anyone with an invitation) or off (no one)",
  },
  mail_url: T.Optional(
    T.String({
      pattern: "^smtps?://[^\\s/]+$",
      maxLength: 1_000,
      description: "an SMTP server, as smtp://user:password@host:587 or smtps://user:password@host:465",
    }),
  ),
  mail_from: T.Optional(
    T.String({
      pattern: '^([^<>@"\\x00-\\x1f]{1,100} <[^\\s<>@]+@[^\\s<>@]+>|[^\\s<>@]+@[^\\s<>@]+)$',
      maxLength: 300,
      description: "the sender of e-mails: an address, or a name followed by the address in angle brackets",
    }),
  ),
  external_issuer: T.Optional(
    T.String({
      format: "uri",
      maxLength: 1_000,
      description: "the issuer URL of an OpenID provider for sign-in, exactly as in its discovery document",
    }),
  ),
  external_client_id: T.Optional(
    T.String({ minLength: 1, maxLength: 300, description: "the client id issued by the OpenID provider" }),
  ),
  external_client_secret: T.Optional(
    T.String({ minLength: 1, maxLength: 1_000, description: "the client secret for external_client_id" }),
  ),
  external_name: T.Optional(
    T.String({
      pattern: "^(?!cli$)[a-z0-9][a-z0-9_-]{0,39}$",
      description:
        "the OpenID provider's name on this server: up to 40 lower-case letters, digits, _ and -, but not cli",
    }),
  ),
  mcp_origins: commaList(
    "https?://[^\\s,/?#@\\\\]+",
    "additional origins of web pages that may call /mcp, separated by commas",
  ),
  trusted_proxies: commaList(
    "[0-9A-Fa-f.:]+",
    "IP addresses of proxies whose X-Forwarded-For is trusted, separated by commas",
  ),
  model_url: T.Optional(
    T.String({
      format: "uri",
      maxLength: 1_000,
      description: "the base URL of an OpenAI-compatible language model, such as http://127.0.0.1:11434/v1",
    }),
  ),
  model_name: T.Optional(
    T.String({ minLength: 1, maxLength: 200, description: "the language model's name at its endpoint" }),
  ),
  model_api_key: T.Optional(
    T.String({ minLength: 1, maxLength: 1_000, description: "the API key for model_url, if it requires one" }),
  ),
  model_capabilities: commaList(
    "[a-z0-9-]+",
    "slugs of the capabilities that the language model serves, separated by commas",
    1_000,
  ),
  model_timeout_seconds: T.Integer({
    minimum: 1,
    maximum: 600,
    default: 55,
    description: "the timeout of one request to a model in seconds, a whole number from 1 to 600",
  }),
  embedding_url: T.Optional(
    T.String({
      format: "uri",
      maxLength: 1_000,
      description: "the base URL of an OpenAI-compatible embedding model",
    }),
  ),
  embedding_name: T.Optional(
    T.String({ minLength: 1, maxLength: 200, description: "the embedding model's name at its endpoint" }),
  ),
  embedding_api_key: T.Optional(
    T.String({ minLength: 1, maxLength: 1_000, description: "the API key for embedding_url, if it requires one" }),
  ),
  outbound_allow_private: commaList(
    "[^\\s,/?#@\\\\]+:[0-9]{1,5}",
    "internal hosts that the server may send requests to, as host:port, separated by commas",
  ),
  redirect_allow: commaList(
    "https?://[^\\s,?#@\\\\]+",
    "additional URLs that a sign-in may redirect to, separated by commas; a URL that ends in / includes all URLs below it",
  ),
  ...operationSettings,
});
export type Settings = Static<typeof Settings>;
export type SettingName = keyof Settings;

/** Setting names, in the order of the schema. */
export const settingNames = Object.keys(Settings.properties) as SettingName[];
/** Settings whose values are never shown, in errors or by `assay doctor`. */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  "master_key",
  "mail_url",
  "external_client_secret",
  "model_api_key",
  "embedding_api_key",
  "metrics_token",
  "otlp_headers",
]);

/** Variables read by the client commands. They are not settings, and are not reported as unknown. */
const clientVariables = new Set([
  ...["ASSAY_API_KEY", "ASSAY_ACCESS_TOKEN", "ASSAY_CONFIG", "ASSAY_PROFILE"],
  // Read by the tests of builder specifications before ASSAY_BASE_URL.
  "ASSAY_URL",
]);
const variablePrefix = "ASSAY_";
const defaultFile = "assay.toml";
const byDefault = "default";
const noPostgres =
  "this release does not support PostgreSQL; remove the setting to use the SQLite file in the data folder";

/** The effective settings, and the source of each value: `default`, a file, a variable or a flag. */
export interface Configuration {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingName, string>>;
  /** The file that was read; undefined if there is none. */
  readonly file: string | undefined;
  /** The file of variables that was read; undefined if none was named. */
  readonly envFile: string | undefined;
}

/** Every mistake in the configuration, one per line. Never contains a value. */
export class ConfigurationError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigurationError";
  }
}

export interface ConfigurationInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values given on the command line, by setting name. */
  readonly flags: Readonly<Partial<Record<SettingName | "database_url", string>>>;
  /** The file given by `--config`; if absent, `assay.toml` in the working directory is read if it exists. */
  readonly file?: string | undefined;
  /** A file with more variables, such as a service's. Those of `env` take precedence. */
  readonly envFile?: string | undefined;
}

interface Given {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** Returns the file to read: the given one, or the default file if it exists. */
const fileRead = (file: string | undefined): string | undefined =>
  file ?? (existsSync(defaultFile) ? defaultFile : undefined);

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigurationError([`${path} can't be read: ${reasonFor(error)}`]);
  }
}

function fromFile(path: string | undefined): Given[] {
  if (path === undefined) return [];
  const text = textOf(path);
  try {
    return Object.entries(Bun.TOML.parse(text)).map(([name, value]) => ({ name, value, source: path }));
  } catch (error) {
    throw new ConfigurationError([`${path}: ${reasonFor(error)}`]);
  }
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(Settings.properties, name);

/** Variables and flags are text and may have to be converted to numbers; a file has its own types. */
function fromText(name: string, text: string, source: string): Given {
  const wantsNumber = isSetting(name) && Settings.properties[name][Kind] === "Integer";
  return { name, value: wantsNumber && /^-?\d{1,15}$/.test(text) ? Number(text) : text, source };
}

function fromVariables(env: ConfigurationInput["env"], file?: string): Given[] {
  const own = Object.keys(env).filter((name) => name.startsWith(variablePrefix) && !clientVariables.has(name));
  return own.sort().flatMap((variable) => {
    const value = env[variable];
    const name = variable.slice(variablePrefix.length).toLowerCase();
    return value === undefined ? [] : [fromText(name, value, file ?? variable)];
  });
}

/** Removes the spaces around a list's commas, which people write in files and shells alike. */
const tidied = (given: Given): Given => {
  const { name, value } = given;
  if (typeof value !== "string" || !isSetting(name) || !isListSetting(Settings.properties[name])) return given;
  return { ...given, value: value.trim().replace(/\s*,\s*/g, ",") };
};

const fromFlags = (flags: ConfigurationInput["flags"]): Given[] =>
  Object.entries(flags).map(([name, value]) => fromText(name, value, `--${name.replaceAll("_", "-")}`));

/** Returns what is wrong with a value, as one line for the operator, or undefined if it is valid. */
function mistake({ name, value, source }: Given): string | undefined {
  if (name === "database_url") return `${name} (from ${source}): ${noPostgres}`;
  if (!isSetting(name)) return `${name} (from ${source}): no such setting. Known are ${settingNames.join(", ")}`;
  // Each value is checked once, so compiling the schema would not pay off.
  if (Errors(Settings.properties[name], [], value).First() === undefined) return undefined;
  const wrong = value === "" ? "the value is empty; remove it, or set" : "invalid value; expected";
  return `${name} (from ${source}): ${wrong} ${expectedOf(name)}`;
}

/** Returns what a setting's value must be. A choice or a number is not described by what it is for. */
export function expectedOf(name: SettingName): string {
  const schema: TSchema = Settings.properties[name];
  if (schema[Kind] === "Integer") return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  const { enum: choices, description = "" } = schema;
  return Array.isArray(choices) ? `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}` : description;
}

/** Loads the configuration. Throws `ConfigurationError` with every mistake, its source and what is allowed. */
export function loadConfiguration({ env, flags, file: named, envFile }: ConfigurationInput): Configuration {
  const file = fileRead(named);
  const more = envFile === undefined ? [] : fromVariables(variablesIn(textOf(envFile)), envFile);
  const given = [...fromFile(file), ...more, ...fromVariables(env), ...fromFlags(flags)].map(tidied);
  const mistakes = given.map(mistake).filter((line) => line !== undefined);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const name of settingNames) {
    const last = given.findLast((one) => one.name === name);
    const value = last ? last.value : Settings.properties[name].default;
    if (value !== undefined) values[name] = value;
    sources[name] = last?.source ?? byDefault;
  }
  return { settings: values as Settings, sources: sources as Configuration["sources"], file, envFile };
}

/** Returns the configured OpenID provider, if any. Throws `ConfigurationError` if it is only partly configured. */
export function externalProviderOf(settings: Settings) {
  const { external_issuer: issuer, external_client_id: client_id, external_client_secret: client_secret } = settings;
  if (issuer === undefined && client_id === undefined && client_secret === undefined) return undefined;
  if (issuer === undefined || client_id === undefined || client_secret === undefined)
    throw new ConfigurationError([
      "external_issuer, external_client_id and external_client_secret must be set together",
    ]);
  return { name: settings.external_name, issuer, client_id, client_secret };
}

/** Returns the configured models. Throws `ConfigurationError` if one is only partly configured. */
export function modelsOf(settings: Settings) {
  const { model_url, model_name, model_capabilities, embedding_url, embedding_name } = settings;
  const timeout_ms = settings.model_timeout_seconds * 1_000;
  const mistakes = [
    ...((model_url === undefined) === (model_name === undefined)
      ? []
      : ["model_url and model_name must be set together"]),
    ...(model_url === undefined && (model_capabilities ?? settings.model_api_key) !== undefined
      ? ["model_capabilities and model_api_key need model_url and model_name"]
      : []),
    ...((embedding_url === undefined) === (embedding_name === undefined)
      ? []
      : ["embedding_url and embedding_name must be set together"]),
    ...(embedding_url === undefined && settings.embedding_api_key !== undefined
      ? ["embedding_api_key needs embedding_url and embedding_name"]
      : []),
  ];
  const capabilities = model_capabilities?.split(",") ?? [];
  for (const slug of capabilities.filter((one) => !servedByModels.includes(one)))
    mistakes.push(`model_capabilities: no model can serve ${slug}. Allowed are ${servedByModels.join(", ")}`);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const endpoint = (url: string | undefined, name: string | undefined, api_key: string | undefined) =>
    url === undefined || name === undefined ? undefined : { url: url.replace(/\/+$/, ""), name, api_key, timeout_ms };
  return {
    language: endpoint(model_url, model_name, settings.model_api_key),
    capabilities,
    embedding: endpoint(embedding_url, embedding_name, settings.embedding_api_key),
  };
}

/** Additional URLs that a sign-in may redirect to. */
export const redirectsOf = ({ redirect_allow }: Settings): string[] => redirect_allow?.split(",") ?? [];

/** Additional origins of web pages that may call `/mcp`. */
export const mcpOriginsOf = ({ mcp_origins }: Settings): string[] => mcp_origins?.split(",") ?? [];

/**
 * Returns the proxies whose `X-Forwarded-For` is trusted. Throws `ConfigurationError` for anything but an IP address.
 */
export function trustedProxiesOf({ trusted_proxies }: Settings): string[] {
  const proxies = trusted_proxies?.split(",") ?? [];
  if (proxies.every((proxy) => net().isIP(proxy) !== 0)) return proxies;
  throw new ConfigurationError([
    `trusted_proxies: invalid value; expected ${Settings.properties.trusted_proxies.description}`,
  ]);
}

/** Returns the internal hosts that may be fetched. Throws `ConfigurationError` for anything but a host and port. */
export function privateHostsOf({ outbound_allow_private }: Settings): string[] {
  try {
    const hosts = outbound_allow_private?.split(",") ?? [];
    for (const host of hosts) authorityOf(host);
    return hosts;
  } catch {
    throw new ConfigurationError([
      `outbound_allow_private: invalid value; expected ${Settings.properties.outbound_allow_private.description}`,
    ]);
  }
}

/**
 * Addresses at which a socket that listens on all interfaces is reached, since a wildcard is no address to connect to.
 */
const reachedAt: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Returns the public base URL: as configured, or that of the socket. `port` is the one actually listened on. */
export function baseUrlOf(settings: Settings, port = settings.port): string {
  const address = reachedAt[settings.host] ?? settings.host;
  const host = address.includes(":") ? `[${address}]` : address;
  return settings.base_url ?? `${settings.tls_cert === undefined ? "http" : "https"}://${host}:${port}`;
}

/** Returns whether the host is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (net().isIP(host) === 4 && host.startsWith("127."));
