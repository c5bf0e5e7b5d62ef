import { expect, test } from "bun:test";
import { migrate } from "../../db/sqlite/migrate.ts";
import answers from "../../src/demo/answers.json" with { type: "json" };
import { examples } from "../../src/demo/examples.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { createMeaning } from "../../src/knowledge/meaning/service.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { present } from "../../src/platform/assert.ts";
import { canonical } from "../../src/platform/json.ts";
import { createLog } from "../../src/platform/log.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { withEngine } from "../../src/registry/registry.ts";
import { scratchStore, testServices } from "../support/services.ts";

const log = createLog(systemRuntime, "error");
/** Waits for the models without a timeout, after which the words alone would decide. */
const patient: Runtime = { ...systemRuntime, after: () => () => undefined };

test("the results shown in the demo's month are those of the engines", async () => {
  const store = scratchStore();
  await migrate(store);
  const meaning = createMeaning({ runtime: patient, log, files: weightFiles, available: () => 2 ** 40 });
  const services = testServices({ meaning }, store);
  for (const { slug, input, outcome } of answers) {
    expect(examples.map(canonical)).toContain(canonical({ slug, input }));
    const definition = present(
      capabilities.find((one) => one.slug === slug),
      slug,
    );
    const context = unhostedContext({
      signal: new AbortController().signal,
      stepKey: "demo",
      firm: "demo",
      now: () => new Date(0),
      random: seededRandom(canonical(input)),
      earlier: {},
    });
    const answered = await withEngine(definition, services).engine.run(input, context);
    expect(JSON.parse(JSON.stringify(answered))).toEqual(outcome);
  }
  services.computing.stop();
  meaning.stop();
});
