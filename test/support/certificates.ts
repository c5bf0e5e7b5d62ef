import { createSign, generateKeyPairSync } from "node:crypto";

/** Self-signed certificates for TLS peers, created per test, so that none expires and no key is in the repository. */

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const long = body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));

/** Returns a key and a certificate for these names, both as PEM for `node:tls`. */
export function certificateFor(...names: readonly string[]): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(oid("550403"), text(0x0c, names[0] ?? ""))));
  const alternatives = sequence(...names.map((one) => text(0x82, one)));
  const extension = sequence(oid("551d11"), der(0x04, alternatives));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(text(0x17, "200101000000Z"), text(0x18, "29991231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = createSign("SHA256").update(content).sign(privateKey);
  const certificate = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  // No empty last line: some PEM parsers reject it.
  const lines = (certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
