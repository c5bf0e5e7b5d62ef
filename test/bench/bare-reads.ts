import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { Elysia } from "elysia";

/**
 * The minimum that answers the reads of `reads.ts`: a list's bytes as stored, and a run by the same queries, after a
 * key lookup. Configured by PORT, LIST (a file with the bytes), ETAG and DATABASE.
 */

const { PORT, LIST = "", ETAG = "", DATABASE = "" } = process.env;
const list = readFileSync(LIST, "utf8");
const database = new Database(DATABASE, { readonly: true });
const keyByHash = database.query<{ workspace_id: string }, [string]>(
  "select workspace_id from api_keys where hash = ? and revoked_at is null",
);
const runById = database.query<{ steps_json: string; input_json: string }, [string, string]>(
  "select * from runs where id = ? and workspace_id = ?",
);
const headers = { etag: ETAG, "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" };

new Elysia()
  .get("/health", () => ({ status: "ok" }))
  .get("/v1/capabilities", ({ request }) =>
    request.headers.get("if-none-match") === ETAG
      ? new Response(null, { status: 304, headers })
      : new Response(list, { headers }),
  )
  .get("/v1/runs/:run_id", ({ request, params }) => {
    const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    const key = keyByHash.get(Bun.SHA256.hash(token, "hex"));
    const run = key && runById.get(params.run_id, key.workspace_id);
    if (!run) return new Response(null, { status: 404 });
    const { steps_json, input_json, ...rest } = run;
    return { ...rest, steps: JSON.parse(steps_json), input: JSON.parse(input_json) };
  })
  .listen({ port: Number(PORT), hostname: "127.0.0.1" });
