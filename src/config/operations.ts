import { net } from "../platform/builtins.ts";
import {
  ConfigurationError,
  externalProviderOf,
  modelsOf,
  privateHostsOf,
  Settings,
  trustedProxiesOf,
} from "./settings.ts";

/**
 * Returns the host to listen on. Throws `ConfigurationError` for a name or address that cannot exist, such as
 * 999.1.1.1.
 */
export function hostOf({ host }: Settings): string {
  const isHost = host.includes(":") ? net().isIPv6(host) : !/[\s/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
  if (isHost) return host;
  throw new ConfigurationError([`host: invalid value; expected ${Settings.properties.host.description}`]);
}

/**
 * Returns the certificate and key files if the server terminates TLS itself. Throws `ConfigurationError` if only one is
 * set.
 */
export function tlsFilesOf({ tls_cert: cert, tls_key: key }: Settings) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ConfigurationError(["tls_cert and tls_key must be set together"]);
  return { cert, key };
}

/**
 * Returns where traces are sent, or undefined if nowhere. `host` is the authority that the outbound guard has to allow.
 */
export function collectorOf({ otlp_endpoint: endpoint, otlp_headers }: Settings) {
  if (endpoint === undefined) {
    if (otlp_headers !== undefined) throw new ConfigurationError(["otlp_headers need otlp_endpoint"]);
    return undefined;
  }
  const pairs = (otlp_headers?.split(",") ?? []).map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]);
  const { protocol, hostname, port } = new URL(endpoint);
  return {
    endpoint,
    headers: Object.fromEntries(pairs) as Record<string, string>,
    host: `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`,
  };
}

/** Every reading that combines several settings, or is stricter than the schema. */
const readings: readonly ((settings: Settings) => unknown)[] = [
  hostOf,
  externalProviderOf,
  modelsOf,
  trustedProxiesOf,
  privateHostsOf,
  tlsFilesOf,
  collectorOf,
];

/**
 * Returns why a server would not start with settings that are each valid, one message per line. Used at startup and by
 * `assay doctor`.
 */
export const settingMistakes = (settings: Settings): string[] =>
  readings.flatMap((read) => {
    try {
      read(settings);
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return error.lines;
      throw error;
    }
  });
