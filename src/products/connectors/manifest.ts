import { second } from "../../platform/clock.ts";
import type { ConnectorManifest } from "./schema.ts";

/** What the firm that a connector belongs to holds, and no other. */
export const connectorEntitlement = (slug: string): string => `connector:${slug}`;

const usualDeadline = 60;
/**
 * Bytes that an answer may have: as many as a caller's body. It is parsed, hashed, written and read by whoever polls in the
 * event loop, where each MiB takes some 25 ms.
 */
export const answerBytesAtMost = 1_048_576;

/** Where its engine is, with the usual bounds filled in. */
export const engineOf = ({ engine, deadline_seconds = usualDeadline }: ConnectorManifest) => ({
  type: engine.type,
  url: engine.url,
  tool: engine.tool,
  // An older manifest may say more.
  max_response_bytes: Math.min(engine.max_response_bytes ?? answerBytesAtMost, answerBytesAtMost),
  deadline_ms: deadline_seconds * second,
});
export type ConnectorEngineConfig = ReturnType<typeof engineOf>;

/** The name of the tool, where the manifest gives none. */
export const toolNameOf = ({ slug, tool }: Pick<ConnectorManifest, "slug" | "tool">): string =>
  tool?.name ?? slug.replaceAll("-", "_");
