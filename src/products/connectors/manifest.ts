import { second } from "../../platform/clock.ts";
import type { ConnectorManifest } from "./schema.ts";

/** Returns the entitlement that only a connector's own firm holds. */
export const connectorEntitlement = (slug: string): string => `connector:${slug}`;

const usualDeadline = 60;
/**
 * Maximum size of an answer in bytes, the same as for a caller's body. Answers are parsed, hashed, stored and read by
 * pollers on the event loop, at about 25 ms per MiB.
 */
export const answerBytesAtMost = 1_048_576;

/** Returns the address and limits of its engine, with defaults applied. */
export const engineOf = ({ engine, deadline_seconds = usualDeadline }: ConnectorManifest) => ({
  type: engine.type,
  url: engine.url,
  tool: engine.tool,
  // An older manifest may have a higher limit.
  max_response_bytes: Math.min(engine.max_response_bytes ?? answerBytesAtMost, answerBytesAtMost),
  deadline_ms: deadline_seconds * second,
});
export type ConnectorEngineConfig = ReturnType<typeof engineOf>;

/** Returns the tool's name, or one derived from the slug. */
export const toolNameOf = ({ slug, tool }: Pick<ConnectorManifest, "slug" | "tool">): string =>
  tool?.name ?? slug.replaceAll("-", "_");
