import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { compactVerify } from "jose";
import { base64url } from "../../src/identity/jws.ts";
import { createSigner, type Signer, threadCoolDown, threadDeadline } from "../../src/identity/signer.ts";
import { startThread } from "../../src/platform/runtime.ts";
import { threadFiles } from "../../src/platform/threads.ts";
import { until } from "../support/harness.ts";
import { testRuntime } from "../support/runtime.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const order = { header: base64url('{"alg":"ES256"}'), jwk: privateKey.export({ format: "jwk" }) };

/** A signer on a clock that the test moves, whose threads are real ones from a file. */
function signerWith(file: string) {
  const runtime = testRuntime();
  const seen = { started: 0, ready: 0, messages: 0, ended: 0 };
  const signer = createSigner(
    {
      ...runtime,
      thread(_name, listener) {
        seen.started++;
        return startThread(new URL(file, import.meta.url).href, {
          ready() {
            listener.ready?.();
            seen.ready++;
          },
          message(data) {
            listener.message(data);
            seen.messages++;
          },
          ended(cause) {
            listener.ended(cause);
            seen.ended++;
          },
        });
      },
    },
    order,
    privateKey,
  );
  return { signer, seen, advance: runtime.advance, nextTurn: runtime.nextTurn };
}

const payloads = ["one", "two", "three", "four", "five"];
const burst = (signer: Signer): Promise<string[]> => Promise.all(payloads.map((payload) => signer.sign(payload)));
const read = async (tokens: readonly string[]): Promise<string[]> =>
  Promise.all(tokens.map(async (token) => new TextDecoder().decode((await compactVerify(token, publicKey)).payload)));

/** A signer whose thread is there to be used. */
async function started(file: string) {
  const made = signerWith(file);
  expect(await read(await burst(made.signer))).toEqual(payloads);
  await until(() => made.seen.ready === 1, "the thread is ready");
  return made;
}

test("a thread signs what is asked for together, each payload its own token", async () => {
  const { signer, seen, advance } = await started(`../../${threadFiles.signing}`);
  expect(await read(await burst(signer))).toEqual(payloads);
  expect(seen).toEqual({ started: 1, ready: 1, messages: 1, ended: 0 });
  advance(threadCoolDown);
});

test("a thread that hangs is given up at its deadline: what waited is signed here, and no thread until later", async () => {
  const { signer, seen, advance, nextTurn } = await started("./threads/hanging.ts");
  let isSigned = false;
  const waiting = burst(signer).finally(() => {
    isSigned = true;
  });
  await nextTurn();
  advance(threadDeadline - 1);
  await nextTurn();
  expect(isSigned).toBe(false);
  advance(1);
  expect(await read(await waiting)).toEqual(payloads);

  expect(await read(await burst(signer))).toEqual(payloads);
  expect(seen.started).toBe(1);
  advance(threadCoolDown);
  expect(await read(await burst(signer))).toEqual(payloads);
  expect(seen.started).toBe(2);
  advance(threadDeadline);
});

describe.each([
  ["answers nonsense", "./threads/babbling.ts"],
  ["dies", "./threads/dying.ts"],
])("a thread that %s", (_, file) => {
  test("is given up at once, and what waited is signed here", async () => {
    const { signer, seen } = await started(file);
    expect(await read(await burst(signer))).toEqual(payloads);
    expect(seen.messages + seen.ended).toBe(1);
    expect(await read(await burst(signer))).toEqual(payloads);
    expect(seen.started).toBe(1);
  });
});

test("a thread that can't be started holds nobody up", async () => {
  const { signer, seen } = signerWith("./threads/missing.ts");
  expect(await read(await burst(signer))).toEqual(payloads);
  await until(() => seen.ended === 1, "the thread has failed");
  expect(await read(await burst(signer))).toEqual(payloads);
  expect(seen).toMatchObject({ started: 1, messages: 0 });
});
