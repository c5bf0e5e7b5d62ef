import { type Engine, EngineError } from "../../contracts/engine.ts";

/** The limitation that a manifest states while its engine is a pending one. */
export const pendingLimitation =
  "This release has no engine for it: every run is refused with capability_runs_disabled.";

const noVersion = "0.0.0";

/** Whether an engine is one that no release has brought yet. */
export const isPending = ({ identity }: Engine): boolean => identity.version === noVersion;

/**
 * The engine of a capability or step whose method is not part of this release. The registry sees that it is not ready,
 * so that no run is accepted; it never answers with an invented result. `run` throws `capability_runs_disabled`.
 */
export function pending(name: string): Engine {
  const reason = `This release has no engine for ${name}. Its runs stay off until a release brings one.`;
  return {
    identity: { name, version: noVersion, model: null },
    ready: () => reason,
    run: async () => {
      throw new EngineError("capability_runs_disabled", reason, true);
    },
  };
}
