import { freshKey, installedAt } from "../../shared/browser.ts";

const base = `${location.origin}${installedAt}`;
const input = `{
    "question": "What is the limit?",
    "answer": "The limit is 500 000 CZK.",
    "sources": ["The limit is 500 000 CZK."]
  }`;

const onOneLine = input
  .split("\n")
  .map((line) => line.trim())
  .join(" ");

/**
 * Returns a first call in each language for this installation: it starts a check and waits for the result. Each call of
 * this function makes new idempotency keys, so that a snippet copied on another day starts another run.
 */
export const freshSnippets = () => ({
  curl: `curl -s -X POST "${base}/v1/capabilities/exa-filter/runs" \\
  -H "Authorization: Bearer $ASSAY_API_KEY" \\
  -H "Idempotency-Key: first-run-${freshKey()}" \\
  -H "Content-Type: application/json" \\
  -d '{"input": ${onOneLine}}'`,
  TypeScript: `const base = "${base}";
const headers = { authorization: \`Bearer \${process.env.ASSAY_API_KEY}\` };
const started = await fetch(\`\${base}/v1/capabilities/exa-filter/runs\`, {
  method: "POST",
  headers: { ...headers, "content-type": "application/json", "idempotency-key": "first-run-${freshKey()}" },
  body: JSON.stringify({ input: ${input.replaceAll("\n", "\n  ")} }),
});
const { id } = await started.json();
const run = await (await fetch(\`\${base}/v1/runs/\${id}?wait=30\`, { headers })).json();
console.log(run.status, run.result, run.charges);`,
  Python: `import json, os, urllib.request

base = "${base}"
headers = {"Authorization": f"Bearer {os.environ['ASSAY_API_KEY']}"}

def call(path, body=None, **more):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {**headers, "Content-Type": "application/json", **more})
    return json.load(urllib.request.urlopen(request))

started = call("/v1/capabilities/exa-filter/runs", {"input": ${input}}, **{"Idempotency-Key": "first-run-${freshKey()}"})
run = call(f"/v1/runs/{started['id']}?wait=30")
print(run["status"], run["result"], run["charges"])`,
  "Claude Code": `claude mcp add --transport http assay ${base}/mcp`,
  MCP: JSON.stringify({ mcpServers: { assay: { type: "http", url: `${base}/mcp` } } }, null, 2),
});
