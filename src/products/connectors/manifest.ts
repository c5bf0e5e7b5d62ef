import { second } from "../../platform/clock.ts";
import type { ConnectorManifest } from "./schema.ts";

/** What the firm that a connector belongs to holds, and no other. */
export const connectorEntitlement = (slug: string): string => `connector:${slug}`;

const usualDeadline = 60;
const usualBytes = 1_048_576;

/** Where its engine is, with the usual bounds filled in. */
export const engineOf = ({ engine, deadline_seconds = usualDeadline }: ConnectorManifest) => ({
  type: engine.type,
  url: engine.url,
  tool: engine.tool,
  max_response_bytes: engine.max_response_bytes ?? usualBytes,
  deadline_ms: deadline_seconds * second,
});
export type ConnectorEngineConfig = ReturnType<typeof engineOf>;

/** The name of the tool, where the manifest gives none. */
export const toolNameOf = ({ slug, tool }: Pick<ConnectorManifest, "slug" | "tool">): string =>
  tool?.name ?? slug.replaceAll("-", "_");
