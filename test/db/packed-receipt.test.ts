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

test("a stored receipt is read back byte for byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), signature, (payload, signed) => {
      const receipt = jws(payload, signed);
      expect(unpackReceipt(packReceipt(receipt))).toBe(receipt);
    }),
  );
});

test("so is one with ids, hashes and the characters that encode them", () => {
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

/** The claims of a succeeded capability run. */
const usual = { ...claims, charges: { ...claims.charges, released_credits: 150 } };
const succeeded = jws(JSON.stringify(usual), new Uint8Array(64).fill(7));
const wayOf = (packed: Uint8Array | string) => (typeof packed === "string" ? "text" : packed[0]);

test("a typical receipt is stored by its values, in less than a quarter of its length", () => {
  const packed = packReceipt(succeeded);
  expect(wayOf(packed)).toBe(3);
  expect(packed.length * 4).toBeLessThan(succeeded.length);
  expect(Buffer.from(packed).toString("base64")).toBe(packedByTheThird);
});

test("one with other values is read back as signed, whatever they are", () => {
  const credits = fc.oneof(fc.nat(3), fc.double(), fc.constantFrom("", null, 1e21, -1));
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("exa-filter", "", '"', "\\", "\u0001", "ž", null),
  );
  const time = fc.oneof(
    fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
    fc.constantFrom("2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "1969-12-31T23:59:59.999Z"),
  );
  const id = fc.oneof(fc.uuid(), fc.constantFrom("01A20459-BAA1-76A3-8B66-144B2C0663F2", ""));
  const values = fc.record({ credits, charged: credits, text, capability: text, step: text, time, id });
  fc.assert(
    fc.property(values, signature, ({ credits, charged, text, capability, step, time, id }, signed) => {
      const stated = {
        ...usual,
        run_id: id,
        capability,
        mode: text,
        engine: { ...usual.engine, name: text },
        steps: [{ ...usual.steps[0], key: step, capability: step, charged_credits: credits }],
        charges: { ...usual.charges, charged_credits: charged, reserved_credits: credits },
        finished_at: time,
      };
      const receipt = jws(JSON.stringify(stated), signed);
      expect(unpackReceipt(packReceipt(receipt))).toBe(receipt);
    }),
    { numRuns: 1_000 },
  );
});

test("a key id that is not a thumbprint is stored unchanged", () => {
  const [, payload = "", signed = ""] = succeeded.split(".");
  for (const kid of ["a".repeat(43), "a".repeat(42), "ž"]) {
    const receipt = [base64url(JSON.stringify({ ...header, kid })), payload, signed].join(".");
    expect(unpackReceipt(packReceipt(receipt))).toBe(receipt);
  }
});

test("another kind of receipt is stored in a quarter of its length", () => {
  const receipt = jws(JSON.stringify(claims), new Uint8Array(64).fill(7));
  expect(packReceipt(receipt).length * 4).toBeLessThan(receipt.length);
});

test("a receipt packed by any version stays readable", () => {
  const receipt = jws(JSON.stringify(claims), new Uint8Array(64).fill(7));
  expect(unpackReceipt(Buffer.from(packedByTheFirst, "base64"))).toBe(receipt);
  expect(unpackReceipt(Buffer.from(packedByTheSecond, "base64"))).toBe(receipt);
  expect(unpackReceipt(Buffer.from(packedByTheThird, "base64"))).toBe(succeeded);
});

test("a receipt of earlier releases is still the original text", () => {
  expect(unpackReceipt("eyJhbGciOiJFUzI1NiJ9.e30.AAAA")).toBe("eyJhbGciOiJFUzI1NiJ9.e30.AAAA");
});

test("text without an ES256 signature is stored unchanged", () => {
  const receipt = jws("{}", new Uint8Array(63));
  expect(packReceipt(receipt)).toBe(receipt);
});

test("a receipt packed by a later version is refused with an explanation", () => {
  const packed = packReceipt(jws("{}", new Uint8Array(64)));
  if (typeof packed === "string") throw new Error("it was not packed");
  packed[0] = 4;
  expect(() => unpackReceipt(packed)).toThrow("a format that this version does not know");
});

const packedByTheFirst =
  "AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwe9k0FLgzEMhv+L90qatkmzs7CBjg9lF3cZadrqEN1FZAj+d9lAcOMTNw9eS5qXJM8zTs7N7OrxOmymd29P69ZvX7Y8DPa+uE+Lta22S5rZfLDVw/PrZn4OZBCTuKLqHZMGlwuR8zEWNCAK/QjCfbUgJMdexSkqO+gSIxNy4zwC6dcXchx2ARmra2Kl12Qamz8F4gPB/gPng8DvYIffwTYho5pKyxWyemxcklXzBYG7UsEYQDhapgyh5iyeODWmXkXQcNf/WIxOij521tStKhhaa0IEhbuh9ERRWjDKqjXmhtAkgQ9sksUHpd1ZjsU6mPDnZZ8mW0jwJ8cSjFq2fx4NOUcqnkQ/SXIJLMuLj08=";
const packedByTheSecond =
  "AgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcb4DSDko7pkXpQLEROR8bUS0codqCkKBQZ4tKWsakBWUnK1ABrogILY7WElDRkbmViaGVqqWdgbhmlVAsALHDhK3oGRvkiefQnx7OOczTY5Tic/xZ6HcMOc/gmtoMBogRZuqF2o4tmFEssBmPyAaIEWZIFcamipw+UR2J+eAGiBFmSBnOjiC3py/1cpOHJbG1b6NCKEue1zcGyB/prJDCXTIaAPYiRZ152/ZksIPaiFPel/NoMLO6WYLf8KfVknjxoqtSOIOlQE3yYkTpo";
const packedByTheThird =
  "AwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcscOEregZG+SJ59CfHs45zNNjlOJz/Fnodww5z+Ca2gwGiBFm6oXaji2YUSywGY/IBogRZkgVxqaKnD5RHYn54AaIEWZIGc6OILenL/Vyk4clsbVvo0IoS57XNwbIH+mskMJdMhoA9iJFnXnb9mSwg9qIU96X82gws7pZgt/wp9WSePGiq1I4g6VATfJiROmhleGEtZmlsdGVyIjEuMC4wImxpdmUiZXhhLWZpbHRlciIxLjMuMCIzNTAiNTAwIjUwMCIxNTAibXdzNGpjbWY=";
