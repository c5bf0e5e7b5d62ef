import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { minute } from "../../src/platform/clock.ts";
import { assay, Installation } from "../support/operator.ts";
import { PostOffice } from "../support/smtp.ts";

// The commands are separate processes.
setDefaultTimeout(10 * minute);

interface Told {
  readonly ok: boolean;
  readonly checks: readonly { readonly about: string; readonly state: string; readonly found: string }[];
}

describe("doctor finds whatever prevents the start", () => {
  test.each([
    [
      "an incomplete OpenID provider",
      { ASSAY_EXTERNAL_ISSUER: "https://idp.example" },
      "external_client_secret must be set together",
    ],
    ["headers for traces without an endpoint", { ASSAY_OTLP_HEADERS: "a=b" }, "otlp_headers need otlp_endpoint"],
    [
      "a model without a name",
      { ASSAY_MODEL_URL: "http://127.0.0.1:1/v1" },
      "model_url and model_name must be set together",
    ],
    ["a proxy that is not an address", { ASSAY_TRUSTED_PROXIES: "1.2.3" }, "trusted_proxies: invalid value"],
    ["a certificate without its key", { ASSAY_TLS_CERT: "cert.pem" }, "tls_cert and tls_key must be set together"],
    ["a host without a valid port", { ASSAY_OUTBOUND_ALLOW_PRIVATE: "a:99999" }, "outbound_allow_private"],
  ])("%s", async (_, env, message) => {
    await using place = new Installation();
    const { code, out } = await assay(["doctor", "--json", "--data", place.data], env);
    const told = JSON.parse(out) as Told;
    expect([code, told.ok, told.checks]).toEqual([
      1,
      false,
      [expect.objectContaining({ about: "configuration", state: "fail", found: expect.stringContaining(message) })],
    ]);
    const start = await assay(["serve", "--port", "0", "--data", place.data], env);
    expect([start.code, start.err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test("doctor reports how many messages are queued, why, and that they have no sender; the log gives the reason too", async () => {
  await using place = new Installation();
  await place.init();
  await using office = await PostOffice.open();
  office.isClosed = true;
  const config = ["--config", join(place.folder, "mail.toml")];
  writeFileSync(config[1] ?? "", `mail_url = "${office.url}"\n`);
  const checks = async () => ((await place.json("doctor", ...config)) as Told).checks;
  const found = async (about: string) => (await checks()).find((check) => check.about === about);
  expect(await found("outbox")).toMatchObject({ state: "ok", found: expect.stringContaining("0 waiting") });
  expect(await found("mail sender")).toMatchObject({ state: "warn", found: expect.stringContaining("no-reply@127") });
  await place.json("admin", "invitations", "create", "--email", "new@acme.test", "--mail", "en");
  const server = await place.serve(...config);
  await server.says("could not send a mail");
  expect(server.log()).toMatch(/"could not send a mail".*"reason":"[^"]*451/);
  expect(server.log()).not.toContain("new@acme.test");
  const outbox = await found("outbox");
  expect(outbox).toMatchObject({
    state: "warn",
    found: expect.stringMatching(/^1 waiting, 0 given up; the last error: .*451/),
  });
  expect(JSON.stringify(outbox)).not.toContain("@");
  writeFileSync(config[1] ?? "", `mail_url = "${office.url}"\nmail_from = "a@acme.test"\n`);
  expect(await found("mail sender")).toBeUndefined();
});
