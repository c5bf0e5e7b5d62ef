import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingMistakes } from "../../src/config/operations.ts";
import {
  baseUrlOf,
  ConfigurationError,
  type ConfigurationInput,
  isLoopback,
  loadConfiguration,
  settingNames,
} from "../../src/config/settings.ts";

function file(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "assay-config-")), "assay.toml");
  writeFileSync(path, text);
  return path;
}

const load = (given: Partial<ConfigurationInput> = {}) => loadConfiguration({ env: {}, flags: {}, ...given });

/** Returns the error lines for an invalid configuration. */
function refused(given: Partial<ConfigurationInput>): readonly string[] {
  try {
    load(given);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  test("has a default for every required setting, and says so", () => {
    const { settings, sources } = load();
    expect(settings).toEqual({
      host: "127.0.0.1",
      port: 8787,
      data: "./assay-data",
      log_level: "info",
      body_limit: 1_048_576,
      shutdown_grace_seconds: 10,
      sign_up: "invited",
      model_timeout_seconds: 55,
      access_log_level: "info",
      access_log_format: "json",
      meaning: "on",
      solution_retention_days: 365,
    });
    expect(Object.keys(sources)).toEqual([...settingNames]);
    expect(new Set(Object.values(sources))).toEqual(new Set(["default"]));
  });

  test("reads the file, then variables, then flags, and names the source of each value", () => {
    const path = file('port = 1\nhost = "localhost"\nlog_level = "warn"\n');
    const env = { ASSAY_PORT: "2", ASSAY_LOG_LEVEL: "error" };
    const { settings, sources } = load({ file: path, env, flags: { port: "3" } });
    expect(settings).toMatchObject({ port: 3, host: "localhost", log_level: "error" });
    expect(sources).toMatchObject({ port: "--port", host: path, log_level: "ASSAY_LOG_LEVEL", data: "default" });
  });

  test("ignores other programs' variables and those of the client", () => {
    const env = { PATH: "/bin", ASSAY_API_KEY: "x", ASSAY_ACCESS_TOKEN: "y", ASSAY_CONFIG: "z", ASSAYER: "w" };
    expect(load({ env: { ...env, ASSAY_PROFILE: "work", ASSAY_URL: "https://a.example" } }).settings.port).toBe(8787);
  });

  test.each([
    ["ASSAY_TRUSTED_PROXIES", "127.0.0.1, ::1", "127.0.0.1,::1"],
    ["ASSAY_MCP_ORIGINS", " https://a.example ,\thttps://b.example ", "https://a.example,https://b.example"],
    ["ASSAY_OUTBOUND_ALLOW_PRIVATE", "crm.intranet:80, 10.0.0.7:443", "crm.intranet:80,10.0.0.7:443"],
    ["ASSAY_REDIRECT_ALLOW", "https://a.example/ , app://x", undefined],
    ["ASSAY_MODEL_CAPABILITIES", "exa-filter, afa-assurance", "exa-filter,afa-assurance"],
    ["ASSAY_OTLP_HEADERS", "a=b c, d=e", "a=b c,d=e"],
    ["ASSAY_TRUSTED_PROXIES", "127.0.0.1 ::1", undefined],
    ["ASSAY_TRUSTED_PROXIES", "127.0.0.1,,::1", undefined],
  ])("allows blanks around the commas of a list, but nothing else: %s=%p", (name, given, wanted) => {
    const env = { [name]: given };
    if (wanted === undefined) expect(refused({ env }).join()).toContain("separated by commas");
    else expect(Object.values(load({ env }).settings)).toContain(wanted);
  });

  test("allows blanks in a file's list, and names the file that was read", () => {
    const path = file('trusted_proxies = "127.0.0.1, ::1"\n');
    expect(load({ file: path })).toMatchObject({ file: path, settings: { trusted_proxies: "127.0.0.1,::1" } });
    expect(load().file).toBeUndefined();
  });

  test.each(["999.1.1.1", "1.2.3.4.5", "::zz", "localhost:80", "http://x", "a b", "x/y"])(
    "rejects %s as a host",
    (host) => {
      const [mistake] = settingMistakes(load({ flags: { host } }).settings);
      expect(mistake).toStartWith("host: invalid value; expected an IP address or host name");
    },
  );

  test.each(["0.0.0.0", "::", "fe80::1%eth0", "localhost", "my_host", "a.example"])("accepts %s as a host", (host) => {
    expect(settingMistakes(load({ flags: { host } }).settings)).toEqual([]);
  });

  const base_url = "https://assay.example.com";
  test.each([
    ["an unknown key in the file", { file: file("prot = 1\n") }, "prot", "no such setting"],
    ["a table in the file", { file: file("[server]\nport = 1\n") }, "server", "no such setting"],
    ["an unknown variable", { env: { ASSAY_PROT: "1" } }, "prot (from ASSAY_PROT)", "no such setting"],
    ["a port out of range", { flags: { port: "65536" } }, "port (from --port)", "0 to 65535"],
    ["a port that is not a number", { env: { ASSAY_PORT: "http" } }, "port (from ASSAY_PORT)", "a whole number"],
    ["a quoted number in the file", { file: file('port = "1"\n') }, "port", "a whole number"],
    ["an unknown level", { flags: { log_level: "loud" } }, "log_level (from --log-level)", "debug, info"],
    ["a base URL with another scheme", { flags: { base_url: "ftp://x" } }, "base_url", "http or https"],
    ["a base URL with a trailing slash", { flags: { base_url: `${base_url}/` } }, "base_url", "slash"],
    ["a base URL with credentials", { flags: { base_url: "https://a:b@x.com" } }, "base_url", "credentials"],
    ["an empty host", { env: { ASSAY_HOST: "" } }, "host (from ASSAY_HOST)", "address"],
    ["a body limit of zero", { flags: { body_limit: "0" } }, "body_limit", "1024"],
    ["an excessive grace period", { flags: { shutdown_grace_seconds: "601" } }, "shutdown_grace_seconds", "0 to 600"],
    [
      "PostgreSQL",
      { env: { ASSAY_DATABASE_URL: "postgres://a:secret@b/c" } },
      "database_url",
      "does not support PostgreSQL",
    ],
    ["a missing file", { file: "/nonexistent/assay.toml" }, "/nonexistent/assay.toml", "no such file"],
  ])("refuses %s, with what is allowed", (_, given, name, allowed) => {
    const [line = "", ...more] = refused(given);
    expect(more).toEqual([]);
    expect(line).toContain(name);
    expect(line.toLowerCase()).toContain(allowed.toLowerCase());
  });

  test.each([
    ["ASSAY_SIGN_UP", "everyone", "expected open, invited or off"],
    ["ASSAY_ACCESS_LOG_LEVEL", "loud", "expected debug, info, warn or off"],
    ["ASSAY_MEANING", "yes", "expected on or off"],
    ["ASSAY_SOLUTION_RETENTION_DAYS", "1", "expected a whole number from 7 to 3650"],
    ["ASSAY_SHUTDOWN_GRACE_SECONDS", "-1", "expected a whole number from 0 to 600"],
  ])("says what a value must be, not what the setting is for: %s", (name, value, allowed) => {
    expect(refused({ env: { [name]: value } })).toEqual([
      `${name.slice(6).toLowerCase()} (from ${name}): invalid value; ${allowed}`,
    ]);
  });

  test("names an empty value, which a line without a value in a file of variables sets", () => {
    const [line] = refused({ env: { ASSAY_MAIL_URL: "" } });
    expect(line).toStartWith("mail_url (from ASSAY_MAIL_URL): the value is empty; remove it, or set an SMTP server");
  });

  test("reads a file of variables as systemd does, below those of the shell", () => {
    const variables = file(
      [
        "# a comment",
        "; another",
        'ASSAY_MAIL_FROM="Desk \\$1 <a@b.example>"',
        "ASSAY_METRICS_TOKEN='a\\\\token-of-some-length'",
        "  ASSAY_TRUSTED_PROXIES = 127.0.0.1, \\",
        "::1",
        "ASSAY_PORT=1",
        "ASSAY_HOST=a # b",
        "OTHER=x",
        "no variable",
      ].join("\n"),
    );
    const { settings, sources, envFile } = load({ envFile: variables, env: { ASSAY_PORT: "2" } });
    expect(settings).toMatchObject({
      mail_from: "Desk $1 <a@b.example>",
      metrics_token: "a\\\\token-of-some-length",
      trusted_proxies: "127.0.0.1,::1",
      port: 2,
      host: "a # b",
    });
    expect([sources.mail_from, sources.port, envFile]).toEqual([variables, "ASSAY_PORT", variables]);
    expect(refused({ envFile: "/nowhere.env" })).toEqual([
      "/nowhere.env can't be read: no such file or directory (ENOENT)",
    ]);
  });

  test("reports invalid TOML with the file", () => {
    const path = file("port = \n");
    expect(refused({ file: path })[0]).toStartWith(`${path}: `);
  });

  test("reports every error at once", () => {
    expect(refused({ env: { ASSAY_PORT: "x", ASSAY_HOST: "" }, flags: { log_level: "y" } })).toHaveLength(3);
  });

  test("never repeats a refused value, since it may be a secret", () => {
    const secret = "c2VjcmV0";
    const lines = refused({ env: { ASSAY_MASTER_KEY: secret, ASSAY_DATABASE_URL: secret, ASSAY_PORT: secret } });
    expect(lines).toHaveLength(3);
    expect(lines.join("\n")).not.toContain(secret);
  });

  test("accepts a master key of 32 bytes in base64", () => {
    const master_key = Buffer.alloc(32, 1).toString("base64");
    expect(load({ env: { ASSAY_MASTER_KEY: master_key } }).settings.master_key).toBe(master_key);
  });
});

describe("the public address", () => {
  test("is the configured one, else that of the socket", () => {
    expect(baseUrlOf(load({ flags: { base_url: "https://a.example/api" } }).settings)).toBe("https://a.example/api");
    expect(baseUrlOf(load().settings)).toBe("http://127.0.0.1:8787");
    expect(baseUrlOf(load({ flags: { port: "0" } }).settings, 4242)).toBe("http://127.0.0.1:4242");
    expect(baseUrlOf(load({ flags: { host: "::1" } }).settings)).toBe("http://[::1]:8787");
    expect(baseUrlOf(load({ flags: { host: "0.0.0.0" } }).settings)).toBe("http://127.0.0.1:8787");
    expect(baseUrlOf(load({ flags: { host: "::" } }).settings)).toBe("http://[::1]:8787");
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "localhost"])("%s is this machine's own", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  test.each(["0.0.0.0", "::", "192.168.1.1", "127.example.com", "example.com"])("%s is not", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
