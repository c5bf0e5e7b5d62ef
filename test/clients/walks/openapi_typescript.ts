import createClient from "openapi-fetch";
import type { components, paths } from "./types.ts";

const { ASSAY_BASE_URL: baseUrl = "", ASSAY_API_KEY: key = "", ASSAY_INPUT = "{}" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const body = { input: JSON.parse(ASSAY_INPUT) as Record<string, never> };
const path = { slug: "advice-assurance-check" };

const { data: quote } = await client.POST("/v1/use-cases/{slug}/quote", { params: { path }, body });
const begun = await client.POST("/v1/use-cases/{slug}/runs", {
  params: { path, header: { "Idempotency-Key": "openapi-typescript" } },
  body: { ...body, quote_id: quote?.id },
});
const id = begun.data?.id ?? "";
const { data: run } = await client.GET("/v1/runs/{run_id}", { params: { path: { run_id: id }, query: { wait: 60 } } });
if (!run) throw new Error("the run is not there");
const { findings } = run.result as components["schemas"]["AfaAssuranceResult"];
const severity: "low" | "medium" | "high" | "critical" | undefined = findings[0]?.severity;
const { data: receipt } = await client.GET("/v1/runs/{run_id}/receipt", {
  params: { path: { run_id: id } },
  parseAs: "text",
});
console.log(run.status, quote?.maximum_credits, severity, receipt?.split(".").length);
