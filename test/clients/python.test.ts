import { expect, test } from "bun:test";
import { join } from "node:path";
import { openClientWorld } from "../support/client-world.ts";
import { done, run } from "./tools.ts";

const folder = join(import.meta.dir, "..", "..", "clients", "python");
/** The client needs Python 3.11 or later; without it, the check reports that it was skipped. */
const supported = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
const python = Bun.which("python3");
const isSupported = python !== null && (await run([python, ...supported])).code === 0;

if (isSupported)
  test("the Python client passes its own tests against the real server", async () => {
    await using served = await openClientWorld();
    const { secret } = await served.world.key(served.firm, ["docs:read"]);
    const output = await done(["python3", "-B", "-m", "unittest", "-v"], folder, {
      ASSAY_BASE_URL: served.baseUrl,
      ASSAY_API_KEY: served.firm.key,
      ASSAY_NARROW_KEY: secret,
    });
    expect(output).toMatch(/Ran 6 tests/);
    expect(output).toMatch(/^OK$/m);
  });
