import { ConfigurationError, type Settings } from "./settings.ts";

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
