import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { assay, Installation, type Serving } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

interface Health {
  readonly ok: boolean;
  readonly settings: readonly { readonly name: string; readonly value: unknown; readonly source: string }[];
  readonly checks: readonly { readonly about: string; readonly state: string; readonly found: string }[];
}

const health = async ({ url }: Serving): Promise<unknown> => (await fetch(`${url}/health`)).json();

describe("assay", () => {
  test("without a command prints its usage on stderr and exits with 2", async () => {
    const { code, out, err } = await assay([]);
    expect([code, out]).toEqual([2, ""]);
    for (const command of ["serve", "init", "doctor", "verify", "backup", "restore", "admin", "run"])
      expect(err).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  });

  test.each(["help", "--help", "help serve", "admin --help", "admin keys create --help"])(
    "%s prints help on stdout",
    async (line) => {
      const { code, out, err } = await assay(line.split(" "));
      expect([code, err]).toEqual([0, ""]);
      expect(out).toContain("Usage: assay");
    },
  );

  test.each([
    ["an unknown command", ["srve"], "Did you mean serve?"],
    ["an unknown option", ["serve", "--prot", "1"], "--port"],
    ["an unknown help topic", ["help", "exit-code"], "Did you mean exit-codes?"],
    ["a help topic similar to none", ["help", "zzzzzz"], "`assay help` lists commands and topics."],
    ["an unknown admin command", ["admin", "firm"], "Did you mean firms?"],
    ["one argument too many", ["migrate", "now"], "too many arguments"],
    ["a missing argument", ["backup"], "missing required argument 'file'"],
    ["an invalid setting", ["doctor", "--data", ""], "data (from --data)"],
    [
      "a missing configuration file",
      ["doctor", "--config", "/nowhere.toml"],
      "/nowhere.toml can't be read: no such file",
    ],
    ["a missing file of variables", ["doctor", "--env-file", "/nowhere.env"], "/nowhere.env can't be read"],
    ["--bench without --demo", ["serve", "--bench"], "--demo"],
    ["a demo open to everyone", ["serve", "--demo", "--host", "0.0.0.0"], "loopback"],
    ["PostgreSQL", ["serve", "--database-url", "postgres://x"], "does not support PostgreSQL"],
  ])("refuses %s with exit 2 and a message on stderr", async (_, args, message) => {
    const { code, out, err } = await assay(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  test("prints its version, also as JSON", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dir, "..", "..", "package.json"), "utf8"));
    const { out } = await assay(["version"]);
    expect(out).toStartWith(`assay ${version} `);
    expect(await assay(["--version"])).toEqual({ code: 0, out, err: "" });
    expect(JSON.parse((await assay(["version", "--json"])).out)).toMatchObject({ version });
  });

  test("accepts --data before and after the command, and reads assay.toml from the working directory", async () => {
    await using place = new Installation();
    expect((await assay(["--data", place.data, "migrate"])).out).toContain("applied 0001_identity");
    writeFileSync(join(place.folder, "assay.toml"), 'data = "data"\n');
    expect((await assay(["migrate"], {}, place.folder)).out).toBe("up to date\n");
  });
});

/** Signs in and returns the status. */
async function signIn({ url }: Serving, email: string, password: string): Promise<number> {
  return (await post(`${url}/auth/v1/token?grant_type=password`, { email, password })).status;
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

test("an owner created without a password sets one by the link that init prints", async () => {
  await using place = new Installation();
  const { password_link } = await place.init();
  const server = await place.serve();
  const token = new URL(password_link ?? "").searchParams.get("token");
  const password = "four words nobody combines";
  expect((await post(`${server.url}/auth/v1/reset-password`, { token, password })).status).toBe(204);
  expect(await signIn(server, "owner@acme.test", password)).toBe(200);
  await using other = new Installation();
  const { out, err } = await other.run("init", "--email", "o@x.test", "--firm", "F");
  expect(out).toContain("http://127.0.0.1:8787/reset-password?token=");
  expect(err).toContain("assay admin users set-password o@x.test");
});

describe("assay serve", () => {
  test("creates its folder, responds, and exits with 0 on SIGTERM and on SIGINT", async () => {
    await using place = new Installation();
    const first = await place.serve();
    expect(await health(first)).toEqual({ status: "ok" });
    expect(statSync(place.data).mode & 0o777).toBe(0o700);
    expect(first.log()).toContain("assay init");
    expect(await first.end("SIGTERM")).toBe(0);
    const second = await place.serve();
    expect(second.log()).not.toContain("migrated");
    expect(await second.end("SIGINT")).toBe(0);
  });

  test("keeps its files private to their owner, even in a folder open to others", async () => {
    await using place = new Installation();
    mkdirSync(place.data);
    chmodSync(place.data, 0o755);
    await (await place.serve()).end();
    chmodSync(place.database, 0o644);
    const second = await place.serve();
    // A draft may have disappeared before it is inspected.
    const isOpen = (name: string) => (statSync(join(place.data, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077;
    expect([readdirSync(place.data).filter(isOpen), statSync(place.data).mode & 0o777]).toEqual([[], 0o755]);
    await second.end();
  });

  test("prevents a second server in its folder, and starts again after a kill", async () => {
    await using place = new Installation();
    const first = await place.serve();
    const second = await place.run("serve", "--port", "0");
    expect(second.code).toBe(1);
    expect(second.err).toContain("a server is running on");
    expect((await place.run("migrate")).err).toContain("a server is running on");
    await first.end("SIGKILL");
    expect(await health(await place.serve())).toEqual({ status: "ok" });
  });

  test("suggests what to try if the port is in use, and creates no installation", async () => {
    await using place = new Installation();
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = String(other.port);
    const { code, err } = await place.run("serve", "--port", port);
    await other.stop(true);
    expect(code).toBe(1);
    expect(err).toContain(`port ${port} on 127.0.0.1 is in use`);
    expect(err).toContain("--port");
    expect(existsSync(place.database)).toBe(false);
  });

  test("refuses a body over the limit with its own error", async () => {
    await using place = new Installation();
    writeFileSync(join(place.folder, "a.toml"), "body_limit = 2048\n");
    const { url } = await place.serve("--config", join(place.folder, "a.toml"));
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ input: { text: "x".repeat(4_000) } });
    const response = await fetch(`${url}/v1/use-cases/x/quote`, { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([413, { error: { code: "payload_too_large" } }]);
  });

  test("serves a demo from an empty folder, again from its own, and from no other", async () => {
    await using place = new Installation();
    const demo = await place.serve("--demo");
    expect(existsSync(join(place.data, "demo-credentials.json"))).toBe(true);
    await demo.end();
    expect((await place.run("serve", "--port", "0")).err).toContain("contains a demo");
    await (await place.serve("--demo")).end();
    await using real = new Installation();
    await real.init();
    const { code, err } = await real.run("serve", "--demo", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining("neither empty nor a demo's folder")]);
  });

  test("refuses a database changed by a newer version, and a foreign master key", async () => {
    await using place = new Installation();
    await (await place.serve()).end();
    writeFileSync(join(place.data, "master.key"), `${Buffer.alloc(32, 5).toString("base64")}\n`);
    const foreign = await place.run("serve", "--port", "0");
    expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining("master key")]);
    makeNewer(place.database);
    for (const command of [["serve", "--port", "0"], ["migrate"], ["verify"], ["admin", "firms", "list"]]) {
      const { code, err } = await place.run(...command);
      expect([code, err]).toEqual([1, expect.stringContaining("made by a newer version (it has 9999_later)")]);
    }
  });

  test("does not replace a lost master key", async () => {
    await using place = new Installation();
    await (await place.serve()).end();
    await Bun.file(join(place.data, "master.key")).delete();
    const { code, err } = await place.run("serve", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining("the master key is missing")]);
    expect(existsSync(join(place.data, "master.key"))).toBe(false);
  });
});

/** Adds the mark of a migration that this version does not know. */
function makeNewer(file: string): void {
  const database = new Database(file);
  database.run("insert into kysely_migration (name, timestamp) values ('9999_later', '2030-01-01')");
  database.close();
}

describe("assay migrate", () => {
  test("lists the migrations applied, once", async () => {
    await using place = new Installation();
    const first = await place.json<{ applied: string[] }>("migrate");
    expect(first.applied[0]).toBe("0001_identity");
    expect(await place.json<unknown>("migrate")).toEqual({ applied: [] });
  });
});

describe("assay doctor", () => {
  const doctor = async (place: Installation, env: Record<string, string> = {}): Promise<[number, Health]> => {
    const { code, out } = await assay(["doctor", "--json", "--data", place.data], env);
    return [code, JSON.parse(out)];
  };
  const stateOf = ({ checks }: Health, about: string): string | undefined =>
    checks.find((check) => check.about === about)?.state;

  test("shows each setting with its source, and only that a secret is set", async () => {
    await using place = new Installation();
    const secret = Buffer.alloc(32, 3).toString("base64");
    const [code, told] = await doctor(place, { ASSAY_MASTER_KEY: secret, ASSAY_PORT: "9000" });
    expect(code).toBe(0);
    expect(told.settings).toContainEqual({ name: "port", value: 9000, source: "ASSAY_PORT" });
    expect(told.settings).toContainEqual({ name: "data", value: place.data, source: "--data" });
    expect(told.settings).toContainEqual({ name: "master_key", value: "set", source: "ASSAY_MASTER_KEY" });
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(existsSync(place.data)).toBe(false);
  });

  test("passes a fresh installation, and advises on what is closed or open to others", async () => {
    await using place = new Installation();
    await place.init();
    chmodSync(join(place.data, "master.key"), 0o644);
    const [code, told] = await doctor(place);
    expect([code, told.ok]).toEqual([0, true]);
    expect(stateOf(told, "schema")).toBe("ok");
    expect(stateOf(told, "platform gate")).toBe("warn");
    expect(stateOf(told, "master key")).toBe("warn");
    expect((await place.run("doctor")).out).toContain("assay admin gates open platform");
  });

  test("warns of a public address without TLS", async () => {
    await using place = new Installation();
    expect(stateOf((await doctor(place, { ASSAY_HOST: "0.0.0.0" }))[1], "public address")).toBe("warn");
    expect(stateOf((await doctor(place, { ASSAY_BASE_URL: "http://a.example" }))[1], "public address")).toBe("warn");
    expect(stateOf((await doctor(place, { ASSAY_BASE_URL: "https://a.example" }))[1], "public address")).toBe("ok");
  });

  test("reports whether a server is running", async () => {
    await using place = new Installation();
    const server = await place.serve();
    const found = async () => (await doctor(place))[1].checks.find((check) => check.about === "server")?.found;
    expect(await found()).toBe("running");
    await server.end();
    expect(await found()).toBe("not running");
  });

  test.each([
    ["a newer schema", "schema", (place: Installation) => makeNewer(place.database)],
    ["a lost master key", "signing keys", (place: Installation) => Bun.file(join(place.data, "master.key")).delete()],
    [
      "an invalid master key",
      "signing keys",
      (place: Installation) => writeFileSync(join(place.data, "master.key"), "x"),
    ],
    [
      "a file that is not a database",
      "database",
      (place: Installation) => writeFileSync(place.database, "x".repeat(5_000)),
    ],
  ])("exits with 1 on %s", async (_, about, break_) => {
    await using place = new Installation();
    await (await place.serve()).end();
    await break_(place);
    const [code, told] = await doctor(place);
    expect([code, told.ok, stateOf(told, about)]).toEqual([1, false, "fail"]);
  });
});

describe("assay doctor's advice", () => {
  const checks = async (place: Installation, ...args: string[]) =>
    JSON.parse((await place.run("doctor", "--json", ...args)).out).checks as {
      readonly about: string;
      readonly state: string;
      readonly found: string;
      readonly advice?: string;
    }[];

  test("attributes an invalid master key to the key alone", async () => {
    await using place = new Installation();
    await (await place.serve()).end();
    writeFileSync(join(place.data, "master.key"), "garbage\n");
    const failed = (await checks(place)).filter(({ state }) => state === "fail");
    expect(failed).toMatchObject([{ about: "signing keys", found: expect.stringContaining("not 32 bytes in base64") }]);
    expect(failed[0]?.advice).toContain("Put back the master key");
    expect(failed[0]?.advice).not.toContain("backup");
    const { code, err } = await place.run("serve", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining("Put back the master key")]);
  });

  test("warns that no mail is sent, until a mail server is configured", async () => {
    await using place = new Installation();
    const mail = async (...args: string[]) => (await checks(place, ...args)).find(({ about }) => about === "mail");
    expect(await mail()).toMatchObject({ state: "warn", advice: expect.stringContaining("mail_url") });
    const file = join(place.folder, "mail.toml");
    writeFileSync(file, 'mail_url = "smtp://127.0.0.1:2525"\n');
    expect(await mail("--config", file)).toMatchObject({ state: "ok" });
  });

  test("does not warn of a capability without an engine in this release", async () => {
    await using place = new Installation();
    await place.init("--gates", "all");
    const warned = (await checks(place)).filter(({ state }) => state === "warn");
    expect(warned.map(({ about }) => about).sort()).toEqual(["insurance documents", "mail"]);
  });
});

test("an installation made by an older version is migrated by serve, and unchanged by admin", async () => {
  await using place = new Installation();
  mkdirSync(place.data, { mode: 0o700 });
  const store = openStore(place.database);
  await migrate(store);
  await store.close();
  const database = new Database(place.database);
  const [last] = database.query<{ name: string }, []>("select name from kysely_migration order by name desc").all();
  database.run("delete from kysely_migration where name = ?", [last?.name ?? ""]);
  database.close();
  const { code, err } = await place.run("admin", "firms", "list");
  expect([code, err]).toEqual([1, expect.stringContaining("Run `assay migrate`")]);
});
