import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Installation, runToEnd } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

describe("an error names its cause and leaves no partial result:", () => {
  let place: Installation;
  beforeAll(async () => {
    place = new Installation();
    await place.init();
    await place.json("backup", join(place.folder, "good.db"));
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Limits the size of every file to that many kilobytes. */
  const within = (kilobytes: number, args: readonly string[]) => {
    const command = commandLine(args)
      .map((word) => `'${word}'`)
      .join(" ");
    return runToEnd(["bash", "-c", `trap '' XFSZ; ulimit -f ${kilobytes}; exec ${command}`]);
  };

  test("an unknown host, not the data folder", async () => {
    const { code, err } = await place.run("serve", "--host", "no-such-host.invalid", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining("no-such-host.invalid")]);
    expect(err).toContain("Start the server with another --host.");
    expect(err).not.toContain(place.data);
  });

  test("a missing folder for a backup", async () => {
    const file = join(place.folder, "no", "such.db");
    const { code, err } = await place.run("backup", file);
    expect([code, err]).toEqual([2, expect.stringContaining(`the backup can't be written to ${file}: `)]);
    expect(err).not.toContain(place.data);
  });

  test("a disk too full for a backup", async () => {
    const folder = join(place.folder, "full");
    mkdirSync(folder);
    const file = join(folder, "b.db");
    const { code, err } = await within(100, ["backup", file, "--data", place.data]);
    expect([code, err]).toEqual([1, expect.stringContaining(`the backup can't be written to ${file}: `)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a disk too full for a restore", async () => {
    const data = join(place.folder, "restored");
    const { code, err } = await within(100, ["restore", join(place.folder, "good.db"), "--data", data]);
    expect([code, err]).toEqual([1, expect.stringContaining(`${data} can't be used: `)]);
    expect(err).toContain("Free some disk space");
    expect(existsSync(join(data, "assay.db"))).toBe(false);
    expect(readdirSync(data).filter((name) => name.startsWith("assay.db"))).toEqual([]);
  });

  test("a backup that is a folder", async () => {
    const file = join(place.folder, "folder.db");
    mkdirSync(file);
    writeFileSync(`${file}.sha256`, "0  folder.db\n");
    const { code, err } = await runToEnd(commandLine(["restore", file, "--data", join(place.folder, "other")]));
    expect([code, err]).toEqual([2, expect.stringContaining(`${file} is not a file`)]);
  });

  test("a data folder for a restore that is a file", async () => {
    const file = join(place.folder, "good.db");
    const { code, err } = await runToEnd(commandLine(["restore", file, "--data", file]));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/good\.db can't be used: [\s\S]*name another folder with --data/),
    ]);
  });
});
