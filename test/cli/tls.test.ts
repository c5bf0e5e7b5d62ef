import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFor } from "../support/certificates.ts";
import { Installation } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

/** Writes a configuration with a certificate and a key, and returns the flag that names it. */
function configured(place: Installation, cert: string, key: string): string[] {
  const files = { cert: join(place.folder, "cert.pem"), key: join(place.folder, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const file = join(place.folder, "tls.toml");
  writeFileSync(file, `tls_cert = ${JSON.stringify(files.cert)}\ntls_key = ${JSON.stringify(files.key)}\n`);
  return ["--config", file];
}

test("a server with a certificate uses TLS, as its address shows", async () => {
  await using place = new Installation();
  const { cert, key } = certificateFor("localhost");
  const server = place.begin(configured(place, cert, key));
  await server.says("listening on https://127.0.0.1:");
  const [, port] = /listening on https:\/\/127\.0\.0\.1:(\d+)/.exec(server.log()) ?? [];
  const response = await fetch(`https://localhost:${port}/health`, { tls: { ca: cert } });
  expect(await response.json()).toEqual({ status: "ok" });
  expect(
    await fetch(`http://127.0.0.1:${port}/health`).then(
      () => "answered",
      () => "refused",
    ),
  ).toBe("refused");
  expect(await server.end()).toBe(0);
});

test("a renewed certificate is loaded on SIGHUP, and an invalid one is not", async () => {
  await using place = new Installation();
  const [old, renewed] = [certificateFor("localhost"), certificateFor("localhost")];
  const server = place.begin(configured(place, old.cert, old.key));
  await server.says("listening on https://127.0.0.1:");
  const [, port] = /listening on https:\/\/127\.0\.0\.1:(\d+)/.exec(server.log()) ?? [];
  const statusWith = (ca: string) =>
    fetch(`https://localhost:${port}/health`, { tls: { ca }, keepalive: false }).then(
      ({ status }) => status,
      () => "refused",
    );
  expect([await statusWith(old.cert), await statusWith(renewed.cert)]).toEqual([200, "refused"]);
  configured(place, renewed.cert, old.key);
  server.signal("SIGHUP");
  await server.says("the certificate could not be reloaded");
  expect(await statusWith(old.cert)).toBe(200);
  configured(place, renewed.cert, renewed.key);
  server.signal("SIGHUP");
  await server.says("reloaded the certificate");
  expect([await statusWith(old.cert), await statusWith(renewed.cert)]).toEqual(["refused", 200]);
  expect(await server.end()).toBe(0);
});

test.each([
  [
    "a missing file",
    "/nowhere/cert.pem",
    "tls_cert: /nowhere/cert.pem can't be read: no such file or directory (ENOENT)",
  ],
  ["a file that is not a certificate", "nonsense", "can't be used"],
])("%s prevents the start, with a hint", async (_, cert, message) => {
  await using place = new Installation();
  const flags = configured(place, cert, certificateFor("localhost").key);
  if (cert.startsWith("/"))
    writeFileSync(flags[1] ?? "", `tls_cert = "${cert}"\ntls_key = "${join(place.folder, "key.pem")}"\n`);
  const { code, err } = await place.run("serve", "--port", "0", ...flags);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("a key of another certificate prevents the start, and doctor finds it too", async () => {
  await using place = new Installation();
  const flags = configured(place, certificateFor("localhost").cert, certificateFor("localhost").key);
  const { code, err } = await place.run("serve", "--port", "0", ...flags);
  expect([code, err]).toEqual([2, expect.stringContaining("tls_key does not match tls_cert")]);
  expect((await place.run("doctor", ...flags)).out).toContain("FAIL  certificate: tls_key does not match tls_cert");
});

test("an address that no machine has prevents the start as an invalid setting, without retries", async () => {
  await using place = new Installation();
  const { code, err } = await place.run("serve", "--port", "0", "--host", "999.1.1.1");
  expect([code, err]).toEqual([2, expect.stringContaining("host: invalid value")]);
  expect((await place.run("serve", "--port", "0", "--host", "name.invalid")).code).toBe(1);
});

test("a certificate without its key is refused as a setting", async () => {
  await using place = new Installation();
  const file = join(place.folder, "half.toml");
  writeFileSync(file, 'tls_cert = "cert.pem"\n');
  const { code, err } = await place.run("serve", "--port", "0", "--config", file);
  expect([code, err]).toEqual([2, expect.stringContaining("tls_cert and tls_key must be set together")]);
});
