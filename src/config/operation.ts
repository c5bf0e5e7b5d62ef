import { Type as T, type TOptional, type TString } from "@sinclair/typebox";
import { enumeration } from "../platform/schema.ts";

/**
 * A setting with several comma-separated values; `item` is the pattern of one. Spaces around commas are removed before
 * validation.
 */
export const commaList = (item: string, description: string, maxLength = 4_096): TOptional<TString> =>
  T.Optional(T.String({ pattern: `^${item}(,${item})*$`, maxLength, description, isList: true }));

/** Returns whether a setting is such a list. */
export const isListSetting = (schema: object): boolean => "isList" in schema && schema.isList === true;

/** Settings for monitoring, TLS and retention. Part of the one schema, `Settings`. */
export const operationSettings = {
  access_log_level: {
    ...enumeration("debug", "info", "warn", "off"),
    default: "info",
    description: "the level of the log line for each request: debug, info, warn or off",
  },
  access_log_format: {
    ...enumeration("json", "text"),
    default: "json",
    description: "the format of the log line for each request: json or text",
  },
  meaning: {
    ...enumeration("on", "off"),
    default: "on",
    description:
      "whether the built-in meaning models read claims, questions and passages, in addition to comparing their words: on or off",
  },
  solution_retention_days: T.Integer({
    minimum: 7,
    maximum: 3_650,
    default: 365,
    description: "days that the architect's solutions are kept after their last change, a whole number from 7 to 3650",
  }),
  metrics_token: T.Optional(
    T.String({
      pattern: "^[\\x21-\\x7e]{16,200}$",
      description: "16 to 200 printable characters without spaces, to be sent as a bearer token to read /metrics",
    }),
  ),
  otlp_endpoint: T.Optional(
    T.String({
      format: "uri",
      pattern: "^https?://[^/?#@\\s]+(/[^?#\\s]*[^/?#\\s])?$",
      maxLength: 1_000,
      description: "the http or https URL of an OpenTelemetry collector, such as http://127.0.0.1:4318",
    }),
  ),
  otlp_headers: commaList(
    "[A-Za-z0-9-]+=[\\x20-\\x2b\\x2d-\\x7e]+",
    "headers for otlp_endpoint, as name=value, separated by commas",
  ),
  tls_cert: T.Optional(
    T.String({ minLength: 1, maxLength: 4_096, description: "a PEM file with the certificate and its chain" }),
  ),
  tls_key: T.Optional(
    T.String({ minLength: 1, maxLength: 4_096, description: "a PEM file with the private key of tls_cert" }),
  ),
};
