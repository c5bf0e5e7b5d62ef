import { createHmac } from "node:crypto";
import { type AddedConnector, addConnector, removeConnector } from "../../src/accounts/admin/connectors.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { readManifest } from "../../src/products/connectors/file.ts";
import { type Firm, World } from "./harness.ts";
import { testServices } from "./services.ts";

/** A request as received by the upstream. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** Starts an HTTP server on loopback that answers with the test's handler and records the requests. */
export function startUpstream(first: (request: Received) => Response | Promise<Response>) {
  const received: Received[] = [];
  const upstream = {
    received,
    answer: first,
    host: "",
    stop: (): Promise<void> => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method, headers } = request;
      const told = { method, headers, url: new URL(request.url), body: await request.text() };
      received.push(told);
      return upstream.answer(told);
    },
  });
  upstream.host = `127.0.0.1:${server.port}`;
  return upstream;
}
export type Upstream = ReturnType<typeof startUpstream>;

/** A valid manifest priced at 200 credits; a call may cost less. */
export const manifestText = (engine: string): string => `slug: claims-triage
semantic_version: 1.2.0
name: Claims triage
outcome: Know which claims need a person
description: Sorts a claim by how much of it a person has to look at.
pricing:
  live_credits: 200
  provider_cost_credits: 50
input_schema:
  type: object
  properties:
    claim: { type: string, minLength: 1, maxLength: 200 }
    amount: { type: integer, minimum: 0 }
  required: [claim]
output_schema:
  type: object
  properties:
    queue: { type: string, enum: [automatic, person] }
    reason: { type: [string, "null"] }
  required: [queue]
tool:
  name: triage_claim
  examples:
    - title: A small claim
      input: { claim: Glass breakage, amount: 120 }
      output_excerpt: { queue: automatic }
deadline_seconds: 20
engine:
${engine}`;

export const httpsEngine = (host: string): string => `  type: https\n  url: http://${host}/triage?v=1\n`;
export const mcpEngine = (host: string, tool = "triage"): string =>
  `  type: mcp\n  url: http://${host}/mcp\n  tool: ${tool}\n`;

const masterKey = new Uint8Array(32).fill(9);
export const noneTaken = { slugs: ["exa-filter"], tools: ["check_answer"] };

/** Opens a world that may connect to these hosts on loopback. */
export async function openConnectors(...hosts: string[]) {
  const outbound = createOutbound({ runtime: systemRuntime, allow_private: hosts });
  const services = testServices({ outbound });
  const world = await World.open(undefined, { masterKey, services });
  return {
    world,
    services,
    masterKey,
    add(
      firm: Firm,
      text: string,
      { secret, replace = false }: { secret?: string; replace?: boolean } = {},
    ): Promise<AddedConnector> {
      const manifest = readManifest(text, outbound.checkUrl);
      const act = { actor: "operator", at: world.clock.now(), runtime: world.clock };
      const given = { firm_id: firm.id, manifest, secret, replace };
      return world.store.write((tx) => addConnector(tx, act, given, masterKey, noneTaken));
    },
    remove(firm: Firm, slug = "claims-triage"): Promise<boolean> {
      return world.store.write((tx) =>
        removeConnector(tx, { actor: "operator", at: world.clock.now() }, firm.id, slug),
      );
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Checks that a request is signed with the secret, computed from RFC 9421 independently of the code under test. */
export function isSigned({ method, url, headers, body }: Received, secret: string): boolean {
  const digest = `sha-256=:${new Bun.CryptoHasher("sha256").update(body).digest("base64")}:`;
  const parameters = headers.get("signature-input")?.replace(/^assay=/, "") ?? "";
  const base = [
    `"@method": ${method}`,
    `"@authority": ${url.host}`,
    `"@path": ${url.pathname}`,
    `"@query": ${url.search || "?"}`,
    `"content-digest": ${digest}`,
    `"idempotency-key": ${headers.get("idempotency-key")}`,
    `"@signature-params": ${parameters}`,
  ].join("\n");
  const signature = `assay=:${createHmac("sha256", secret).update(base).digest("base64")}:`;
  return headers.get("signature") === signature && headers.get("content-digest") === digest;
}
