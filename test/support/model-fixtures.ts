import { EngineError } from "../../src/contracts/engine.ts";
import type { ModelServer } from "./model-server.ts";

/** Returns the configuration for a test's endpoint. */
export const endpointAt = ({ url }: ModelServer) => ({
  url,
  name: "judge-7b",
  api_key: "sk-secret-of-the-model",
  timeout_ms: 60_000,
});

/** Returns the engine error with which `work` fails; throws for anything else. */
export async function failureOf(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof EngineError) return error;
  throw new Error("it did not fail as an engine fails", { cause: error });
}
