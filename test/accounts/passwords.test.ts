import { expect, test } from "bun:test";
import { createPasswords, hashDeadline } from "../../src/accounts/auth/passwords.ts";
import { until } from "../support/harness.ts";
import { testRuntime } from "../support/runtime.ts";

test("a hash that hangs is aborted at its deadline, and its slot goes to the next", async () => {
  const runtime = testRuntime();
  const never = new Promise<never>(() => {});
  const hash = async (password: string | NodeJS.TypedArray | DataView | ArrayBufferLike) =>
    password === "hangs" ? never : `hash of ${password}`;
  const passwords = createPasswords(runtime, { ...Bun.password, hash });
  const settled: string[] = [];
  const tell = (work: Promise<string>) => work.then((done) => settled.push(done)).catch(() => settled.push("given up"));
  for (const password of ["hangs", "hangs", "works"]) void tell(passwords.hash(password));

  runtime.advance(hashDeadline - 1);
  await runtime.nextTurn();
  expect(settled).not.toContain("given up");
  await until(() => {
    runtime.advance(hashDeadline);
    return settled.length === 3;
  }, "all have ended");
  expect(settled.sort()).toEqual(["given up", "given up", "hash of works"]);
  expect(passwords.load().active).toBe(0);
  expect(await passwords.hash("works")).toBe("hash of works");
});
