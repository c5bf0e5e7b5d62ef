import { modelsOf, type Settings } from "../../config/settings.ts";
import type { ModelEndpoint } from "../../integrations/models/transport.ts";
import { type Outbound, OutboundError } from "../../integrations/outbound/types.ts";
import { fail, type HealthCheck, ok, warn } from "../../platform/health-check.ts";

const patience = 5_000;

/** Returns the model names that an endpoint lists; none if the list has an unknown format. */
function namesIn(body: Uint8Array): string[] {
  try {
    const list: unknown = JSON.parse(new TextDecoder().decode(body));
    const data: unknown = typeof list === "object" && list !== null && "data" in list ? list.data : [];
    return Array.isArray(data)
      ? data.flatMap((one: { id?: unknown }) => (typeof one.id === "string" ? [one.id] : []))
      : [];
  } catch {
    return [];
  }
}

async function endpoint(about: string, prefix: string, model: ModelEndpoint, outbound: Outbound): Promise<HealthCheck> {
  try {
    const { status, body } = await outbound.fetch(`${model.url}/models`, {
      headers: model.api_key === undefined ? {} : { authorization: `Bearer ${model.api_key}` },
      max_bytes: 4_194_304,
      timeout_ms: patience,
      max_redirects: 0,
    });
    if (status === 401 || status === 403)
      return fail(about, "the endpoint rejects the key", `Correct ${prefix}_api_key.`);
    if (status >= 500) return fail(about, `the endpoint answers with ${status}`, "Check the model's server.");
    const names = namesIn(body);
    if (status === 200 && names.length > 0 && !names.includes(model.name))
      return warn(about, `${model.name} is not among the models listed`, `Correct ${prefix}_name, or load the model.`);
    return ok(about, `${model.name}, the endpoint answers`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const advice =
      error.code === "url_not_allowed"
        ? "Add its host:port to outbound_allow_private if it is yours."
        : "Start the model's server, or correct its address. Runs of the capabilities it serves fail until then.";
    return fail(about, error.message, advice);
  }
}

/** Checks that the configured models answer. Requests only their list of models, and sends no text. */
export async function modelChecks(settings: Settings, outbound: Outbound): Promise<HealthCheck[]> {
  const { language, capabilities, embedding } = modelsOf(settings);
  const [model, vectors] = ["language model", "embedding model"];
  return [
    language === undefined
      ? ok(model, "none; embedded engines are used")
      : await endpoint(model, "model", language, outbound),
    ...(language === undefined
      ? []
      : [
          capabilities.length > 0
            ? ok("served by the model", capabilities.join(", "))
            : warn("served by the model", "nothing", "Name capabilities in model_capabilities."),
        ]),
    ...(embedding === undefined ? [] : [await endpoint(vectors, "embedding", embedding, outbound)]),
  ];
}
