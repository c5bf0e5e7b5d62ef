import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { environmentOf, unitText } from "../../src/cli/service-unit.ts";
import { loadConfiguration } from "../../src/config/settings.ts";
import { assay, runToEnd } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

/** A separate home with a service manager that records its calls, and responds as systemd would. */
class Home implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "assay-service-"));
  readonly unit = join(this.path, "config/systemd/user/assay.service");
  private readonly asked = join(this.path, "asked");

  constructor(state: string, active = "active") {
    const bin = join(this.path, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "systemctl"),
      `#!/bin/sh
echo "$@" >> "${this.asked}"
case "$*" in
  *is-system-running*) echo ${state};;
  *show*) printf 'ActiveState=${active}\\nSubState=running\\nUnitFileState=enabled\\nMainPID=42\\nNRestarts=1\\nExecMainStartTimestamp=now\\n';;
  *restart*) [ "${active}" = active ] || { echo "Job failed." >&2; exit 1; };;
esac
`,
    );
    chmodSync(join(bin, "systemctl"), 0o755);
  }

  run(...args: string[]) {
    const PATH = `${join(this.path, "bin")}:${process.env.PATH}`;
    return assay(["service", ...args], { PATH, HOME: this.path, XDG_CONFIG_HOME: join(this.path, "config") });
  }

  /** The calls of systemd. */
  get heard(): string[] {
    return existsSync(this.asked) ? readFileSync(this.asked, "utf8").trim().split("\n") : [];
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Returns a file of variables in a home. */
function given(home: Home, text: string): string {
  const file = join(home.path, "given.env");
  writeFileSync(file, text);
  return file;
}

describe("assay service", () => {
  test.each(["../x", "a b", "-x", "", ".", "a/b", "a@b", "%n", "x\ny", "assay.service", "é"])(
    "rejects %p as a unit name, for all commands",
    async (name) => {
      using home = new Home("running");
      for (const command of ["install", "uninstall", "status"]) {
        const { code, err } = await home.run(command, "--user", "--name", name);
        expect([code, err]).toEqual([2, expect.stringContaining("begin with a letter or digit")]);
      }
      expect(home.heard).toEqual([]);
    },
  );

  test("install writes the unit and starts it, status reports it, uninstall removes it and keeps the data", async () => {
    using home = new Home("running");
    const data = join(home.path, "data");
    mkdirSync(data);
    const installed = await home.run("install", "--user", "--data", data);
    expect({ code: installed.code, out: installed.out }).toEqual({
      code: 0,
      out: `installed and started ${home.unit}\n`,
    });
    expect(readFileSync(home.unit, "utf8")).toContain(` serve --data ${data}\n`);
    expect(home.heard).toEqual([
      "--user is-system-running",
      "--user daemon-reload",
      "--user enable assay",
      "--user restart assay",
    ]);
    const told = await home.run("status", "--user", "--json");
    expect(JSON.parse(told.out)).toEqual({
      ...{ file: home.unit, state: "active (running)", at_boot: "enabled", pid: 42, restarts: 1, since: "now" },
    });
    expect((await home.run("uninstall", "--user")).code).toBe(0);
    expect([existsSync(home.unit), existsSync(data)]).toEqual([false, true]);
    expect(home.heard.slice(-2)).toEqual(["--user disable --now assay", "--user daemon-reload"]);
  });

  test("reports a server that does not start, and a missing installation", async () => {
    using home = new Home("degraded", "failed");
    const failed = await home.run("install", "--user");
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining("restart assay failed: Job failed.")]);
    expect(failed.err).toContain("journalctl --user -u assay");
    expect([(await home.run("status", "--user")).code]).toEqual([1]);
    expect((await home.run("uninstall", "--user", "--name", "other")).err).toContain("there is no");
  });

  test.each(["install", "uninstall", "status"])("reports for %s that systemd is not running", async (command) => {
    using home = new Home("offline");
    mkdirSync(join(home.path, "config/systemd/user"), { recursive: true });
    writeFileSync(home.unit, "");
    const { code, err } = await home.run(command, "--user");
    expect([code, err]).toEqual([1, expect.stringContaining("systemd is not running")]);
    expect(readFileSync(home.unit, "utf8")).toBe("");
  });

  test("with --dry-run prints a hardened unit without calling systemd", async () => {
    using home = new Home("offline");
    const { code, out } = await home.run("install", "--dry-run", "--data", "/var/lib/assay");
    expect(code).toBe(0);
    for (const line of ["DynamicUser=yes", "StateDirectory=assay", "ProtectSystem=strict", "NoNewPrivileges=yes"])
      expect(out.split("\n")).toContain(line);
    expect(out).toMatch(/^ExecStart=.+ serve --data \/var\/lib\/assay$/m);
    expect(out).toMatch(/^CapabilityBoundingSet=$/m);
    expect(home.heard).toEqual([]);
    if (Bun.which("systemd-analyze") === null) return;
    const file = join(home.path, "assay.service");
    writeFileSync(file, out);
    expect(await runToEnd(["systemd-analyze", "verify", "--man=no", file])).toMatchObject({ code: 0, err: "" });
  });

  test("includes a data folder in a home directory in the unit's reach, and hides all homes otherwise", () => {
    const unit = (data: string) =>
      unitText({
        configuration: loadConfiguration({ env: {}, flags: { data } }),
        ...{ command: ["/usr/local/bin/assay"], name: "assay", isUser: false, runAs: "broker" },
      }).split("\n");
    expect(unit("/home/broker/assay")).toEqual(
      expect.arrayContaining(["ProtectHome=read-only", "ReadWritePaths=/home/broker/assay"]),
    );
    expect(unit("/srv/assay")).toContain("ProtectHome=yes");
  });

  test("names the settings file read here in the unit, and does not copy this shell's variables", async () => {
    using home = new Home("offline");
    const file = join(home.path, "assay.toml");
    writeFileSync(file, 'data = "/srv/assay"\nport = 9999\n');
    const install = ["service", "install", "--dry-run", "--run-as", "broker"];
    const here = await assay(install, {}, home.path);
    expect([here.code, here.err]).toEqual([0, ""]);
    expect(here.out).toContain(` serve --data /srv/assay --config ${file}\n`);
    const env = { ASSAY_PORT: "1", ASSAY_DATA: "/srv/other", ASSAY_API_KEY: "x" };
    const told = await assay(install, env, home.path);
    expect(told.out).toContain(" serve --data /srv/other --config ");
    expect(told.err).toBe(
      "The service does not inherit ASSAY_PORT from this shell. Set what it needs in /etc/assay/assay.env.\n",
    );
    const own = await assay(
      ["service", "install", "--user", "--dry-run"],
      { ...env, XDG_CONFIG_HOME: "/c" },
      home.path,
    );
    expect(own.err).toContain("in /c/assay/assay.env");
    writeFileSync(file, 'tls_cert = "cert.pem"\ntls_key = "/etc/key.pem"\n');
    const relative = await assay(install, {}, home.path);
    expect([relative.code, relative.err]).toEqual([
      2,
      expect.stringContaining("tls_cert (from assay.toml) must be an absolute"),
    ]);
  });

  test("takes the port and the grace period from the service's own variables, as systemd does", async () => {
    using home = new Home("running");
    mkdirSync(join(home.path, "config/assay"), { recursive: true });
    const variables = join(home.path, "config/assay/assay.env");
    writeFileSync(variables, '# ours\nASSAY_PORT="9443"\nASSAY_SHUTDOWN_GRACE_SECONDS=60\nOTHER=1\n');
    const installed = await home.run("install", "--user", "--data", home.path);
    expect(installed.err).toContain("http://127.0.0.1:9443");
    expect(readFileSync(home.unit, "utf8")).toContain("\nTimeoutStopSec=70\n");
    writeFileSync(variables, "ASSAY_PORT=high\n");
    expect(await home.run("install", "--user", "--data", home.path)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`port (from ${variables}): invalid value; expected a whole number`),
    });
    const system = unitText({
      configuration: loadConfiguration({ env: {}, flags: {}, envFile: given(home, "ASSAY_PORT=443\n") }),
      ...{ command: ["/usr/local/bin/assay"], name: "assay", isUser: false, runAs: undefined },
    });
    expect(system).toContain("\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n");
    // Where doctor looks for them.
    expect(environmentOf("/var/lib/desk")).toBe("/etc/desk/desk.env");
    for (const folder of ["/var/lib", "/var/lib/desk/data", home.path]) expect(environmentOf(folder)).toBeUndefined();
  });

  test("refuses a service with an empty folder while there is an installation here, and says how to move it", async () => {
    using home = new Home("running");
    const name = `assay-${basename(home.path).toLowerCase()}`;
    const install = (...args: string[]) => assay(["service", "install", "--name", name, ...args], {}, home.path);
    const init = await assay(["init", "--email", "a@b.example", "--firm", "A"], {}, home.path);
    expect(init.code).toBe(0);
    const folder = join(home.path, "assay-data");
    const refused = await home.run("install", "--name", name, "--data", `/var/lib/${name}`, "--dry-run");
    expect([refused.code, refused.err]).toEqual([0, ""]);
    const tried = await install("--dry-run");
    expect(tried.code).toBe(0);
    expect(tried.err).toContain(`the service would use /var/lib/${name}, not ${folder}`);
    expect(tried.err).toContain(`mv -T ${folder} /var/lib/${name}`);
    expect(await install()).toMatchObject({ code: 2, err: expect.stringContaining(`not ${folder}`) });
    // A demo is left where it is.
    writeFileSync(join(folder, ".assay-demo"), "");
    expect((await install("--dry-run")).err).not.toContain("the service would use");
  });

  test("requires the owner's name for a folder of another user, and quotes words", async () => {
    using home = new Home("offline");
    const data = join(home.path, "my data");
    expect(await home.run("install", "--dry-run", "--data", data)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--run-as"),
    });
    const { out } = await home.run("install", "--dry-run", "--data", data, "--run-as", "broker");
    expect(out).toContain(`--data "${data}"`);
    expect(out).toContain(`\nUser=broker\nReadWritePaths="${data}"\n`);
    expect(out).not.toContain("DynamicUser");
  });
});
