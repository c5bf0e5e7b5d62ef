import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { packReceipt, unpackReceipt } from "../../db/packed-receipt.ts";

const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url");

const claims = {
  run_id: "01a20459-baa1-76a3-8b66-144b2c0663f2",
  firm: "01a20459-9205-71a9-a2a7-0f9447627e78",
  workspace: "01a20459-9206-73a3-882d-e9cbfd5ca4e1",
  kind: "capability",
  capability: "exa-filter",
  use_case: null,
  version: "1.0.0",
  mode: "live",
  status: "succeeded",
  reason: null,
  engine: { name: "exa-filter", version: "1.3.0", model: null },
  input_sha256: createHash("sha256").update("input").digest("hex"),
  result_sha256: createHash("sha256").update("result").digest("hex"),
  steps: [{ key: "exa-filter", capability: "exa-filter", status: "succeeded", charged_credits: 350 }],
  charges: { currency: "credits", maximum_credits: 500, reserved_credits: 500, charged_credits: 350 },
  approval: null,
  finished_at: "2026-11-22T17:41:59.079Z",
};
const header = { alg: "ES256", kid: base64url(createHash("sha256").update("key").digest()), typ: "assay-receipt+jws" };

const jws = (payload: string, signature: Uint8Array) =>
  [JSON.stringify(header), payload, signature].map((part) => base64url(part)).join(".");

const signature = fc.uint8Array({ minLength: 64, maxLength: 64 });

test("a stored receipt is read as the one that was signed, byte for byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), signature, (payload, signed) => {
      const receipt = jws(payload, signed);
      expect(unpackReceipt(packReceipt(receipt))).toBe(receipt);
    }),
  );
});

test("so is one with ids, hashes and the characters that stand for them when it is stored", () => {
  const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
  const member = fc.oneof(
    fc.uuid(),
    hex,
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u0001", "\u0002", "\n", '"'),
  );
  fc.assert(
    fc.property(fc.array(member), signature, fc.boolean(), (members, signed, escaped) => {
      const receipt = jws(escaped ? JSON.stringify(members) : `["${members.join('","')}"]`, signed);
      expect(unpackReceipt(packReceipt(receipt))).toBe(receipt);
    }),
  );
});

test("a usual receipt is stored in a quarter of its length", () => {
  const receipt = jws(JSON.stringify(claims), new Uint8Array(64).fill(7));
  expect(packReceipt(receipt).length * 4).toBeLessThan(receipt.length);
});

test("a receipt packed by any version is read for ever", () => {
  const receipt = jws(JSON.stringify(claims), new Uint8Array(64).fill(7));
  expect(unpackReceipt(Buffer.from(packedByTheFirst, "base64"))).toBe(receipt);
  expect(unpackReceipt(Buffer.from(packedByTheSecond, "base64"))).toBe(receipt);
});

test("a receipt of the releases before is the text that it always was", () => {
  expect(unpackReceipt("eyJhbGciOiJFUzI1NiJ9.e30.AAAA")).toBe("eyJhbGciOiJFUzI1NiJ9.e30.AAAA");
});

test("what is no ES256 signature is kept as text", () => {
  const receipt = jws("{}", new Uint8Array(63));
  expect(packReceipt(receipt)).toBe(receipt);
});

test("what a later version packed is refused in words", () => {
  const packed = packReceipt(jws("{}", new Uint8Array(64)));
  if (typeof packed === "string") throw new Error("it was not packed");
  packed[0] = 3;
  expect(() => unpackReceipt(packed)).toThrow("a form that this version does not know");
});

const packedByTheFirst =
  "AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwe9k0FLgzEMhv+L90qatkmzs7CBjg9lF3cZadrqEN1FZAj+d9lAcOMTNw9eS5qXJM8zTs7N7OrxOmymd29P69ZvX7Y8DPa+uE+Lta22S5rZfLDVw/PrZn4OZBCTuKLqHZMGlwuR8zEWNCAK/QjCfbUgJMdexSkqO+gSIxNy4zwC6dcXchx2ARmra2Kl12Qamz8F4gPB/gPng8DvYIffwTYho5pKyxWyemxcklXzBYG7UsEYQDhapgyh5iyeODWmXkXQcNf/WIxOij521tStKhhaa0IEhbuh9ERRWjDKqjXmhtAkgQ9sksUHpd1ZjsU6mPDnZZ8mW0jwJ8cSjFq2fx4NOUcqnkQ/SXIJLMuLj08=";
const packedByTheSecond =
  "AgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcb4DSDko7pkXpQLEROR8bUS0codqCkKBQZ4tKWsakBWUnK1ABrogILY7WElDRkbmViaGVqqWdgbhmlVAsALHDhK3oGRvkiefQnx7OOczTY5Tic/xZ6HcMOc/gmtoMBogRZuqF2o4tmFEssBmPyAaIEWZIFcamipw+UR2J+eAGiBFmSBnOjiC3py/1cpOHJbG1b6NCKEue1zcGyB/prJDCXTIaAPYiRZ152/ZksIPaiFPel/NoMLO6WYLf8KfVknjxoqtSOIOlQE3yYkTpo";
