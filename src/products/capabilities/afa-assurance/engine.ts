import type { Engine } from "../../../contracts/engine.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { isShort } from "../short.ts";
import { checkAdvice } from "./check-advice.ts";
import { advice } from "./computation.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";

/** The embedded rule check. The same input gives the same findings. */
export const afaAssuranceEngine = ({
  computing,
}: Pick<EngineServices, "computing">): Engine<AfaAssuranceInput, AfaAssuranceOutput> => ({
  identity: { name: "afa-assurance", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input, context) => ({ result: await computing.run(advice, { input, added: [] }, context) }),
  runInline(input) {
    if (!isShort([input.question, input.answer])) return undefined;
    const result = computing.atOnce(() => checkAdvice(input));
    return result && { result };
  },
});
