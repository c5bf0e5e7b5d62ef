import type { Outbound } from "../../integrations/outbound/types.ts";
import { OutboundError } from "../../integrations/outbound/types.ts";
import type { Detail } from "../../platform/errors.ts";
import { manifestProblems } from "./definition.ts";
import type { ConnectorManifest } from "./schema.ts";
import { parseManifest } from "./yaml.ts";

/**
 * Checks the address against the operator's network rules. Also called by `assay doctor`, since the rules may have
 * changed.
 */
export function addressProblems({ engine }: ConnectorManifest, checkUrl: Outbound["checkUrl"]): Detail[] {
  try {
    const url = checkUrl(engine.url);
    // Plain HTTP is allowed only to a port named in outbound_allow_private.
    if (url.protocol === "http:" && url.port === "")
      return [{ path: "/engine/url", message: "must be https, unless outbound_allow_private names its host and port" }];
    return [];
  } catch (error) {
    if (error instanceof OutboundError) return [{ path: "/engine/url", message: `is not allowed. ${error.message}` }];
    throw error;
  }
}

/** Parses and fully validates a YAML manifest. Throws `ManifestError` with a line for each mistake. */
export function readManifest(text: string, checkUrl: Outbound["checkUrl"]): ConnectorManifest {
  const { value, located } = parseManifest(text);
  const wrong = manifestProblems(value);
  if (wrong.length > 0) throw located(wrong);
  const manifest = value as ConnectorManifest;
  const refused = addressProblems(manifest, checkUrl);
  if (refused.length > 0) throw located(refused);
  return manifest;
}
