import { net } from "../platform/builtins.ts";
import {
  ConfigurationError,
  externalProviderOf,
  modelsOf,
  privateHostsOf,
  Settings,
  trustedProxiesOf,
} from "./settings.ts";

/** A name or an address that could be listened on. Throws `ConfigurationError` for what no machine ever has, such as 999.1.1.1. */
export function hostOf({ host }: Settings): string {
  const isHost = host.includes(":") ? net().isIPv6(host) : !/[\s/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
  if (isHost) return host;
  throw new ConfigurationError([`host: invalid value; expected ${Settings.properties.host.description}`]);
}

/** The certificate's and its key's files, where the server itself speaks TLS. Throws `ConfigurationError` for one alone. */
export function tlsFilesOf({ tls_cert: cert, tls_key: key }: Settings) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new ConfigurationError(["tls_cert and tls_key go together"]);
  return { cert, key };
}

/** Where traces go; undefined: nowhere. `host` is what the guard has to let through. */
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

/** Everything that is read from more than one setting, or more closely than the schema says. */
const readings: readonly ((settings: Settings) => unknown)[] = [
  hostOf,
  externalProviderOf,
  modelsOf,
  trustedProxiesOf,
  privateHostsOf,
  tlsFilesOf,
  collectorOf,
];

/** Why a server would not start with settings that are each allowed, a line each: for its start, and for `assay doctor`. */
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
