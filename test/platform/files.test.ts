import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  copyDurably,
  isDraft,
  keepPrivate,
  makeFolderDurably,
  modeOf,
  ownDurably,
  publishDurably,
  syncFolder,
  writeDurably,
} from "../../src/platform/files.ts";

const root = mkdtempSync(join(tmpdir(), "assay-files-"));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
/** Creates a temporary folder. */
function folder(): string {
  const path = join(root, String(++folders));
  mkdirSync(path);
  return path;
}
const permissions = (path: string): number => statSync(path).mode & 0o777;

describe("a file is written", () => {
  test("in full, for its owner only, leaving no temporary file", async () => {
    const file = join(folder(), "a");
    await writeDurably(file, "first", { mode: 0o600 });
    await writeDurably(file, new TextEncoder().encode("second"), { mode: 0o600 });
    expect([readFileSync(file, "utf8"), permissions(file)]).toEqual(["second", 0o600]);
    expect(readdirSync(join(file, ".."))).toEqual(["a"]);
  });

  test("in parts if there are several, and copied from another one", async () => {
    const file = join(folder(), "a");
    const parts = [new Uint8Array(), new Uint8Array(3_000_000).fill(1), new Uint8Array([2])];
    await writeDurably(file, parts, { mode: 0o600 });
    await copyDurably(file, `${file}.copy`, { mode: 0o640 });
    const copied = readFileSync(`${file}.copy`);
    expect([copied.length, copied[0], copied.at(-1)]).toEqual([3_000_001, 1, 2]);
    expect(permissions(`${file}.copy`)).toBe(0o640);
  });

  test("never over an existing one if it may not be replaced", async () => {
    const file = join(folder(), "a");
    await writeDurably(file, "first", { mode: 0o600, replace: false });
    await expect(writeDurably(file, "second", { mode: 0o600, replace: false })).rejects.toThrow("EEXIST");
    expect(await Bun.file(file).text()).toBe("first");
    writeFileSync(`${file}.partial`, "third");
    await expect(publishDurably(`${file}.partial`, file, { replace: false })).rejects.toThrow("EEXIST");
    await publishDurably(`${file}.partial`, file);
    expect(readFileSync(file, "utf8")).toBe("third");
  });

  test("not at all if its content fails midway: the old file stays", async () => {
    const file = join(folder(), "a");
    await writeDurably(file, "first", { mode: 0o600 });
    async function* breaking() {
      yield new Uint8Array(10);
      throw new Error("it broke off");
    }
    await expect(writeDurably(file, breaking(), { mode: 0o600 })).rejects.toThrow("it broke off");
    expect(await Bun.file(file).text()).toBe("first");
    expect(readdirSync(join(file, ".."))).toEqual(["a"]);
  });

  test("through a symbolic link, which stays a link", async () => {
    const place = folder();
    writeFileSync(join(place, "real"), "first");
    symlinkSync("real", join(place, "link"));
    await writeDurably(join(place, "link"), "second", { mode: 0o600 });
    expect([readlinkSync(join(place, "link")), readFileSync(join(place, "real"), "utf8")]).toEqual(["real", "second"]);
  });

  test("directly into a device", async () => {
    await writeDurably("/dev/null", "gone", { mode: 0o600 });
    expect(statSync("/dev/null").isFile()).toBe(false);
  });
});

test("a folder is created with its parents, and an existing one keeps its permissions", async () => {
  const place = folder();
  await makeFolderDurably(join(place, "a", "b"), 0o700);
  expect([permissions(join(place, "a")), permissions(join(place, "a", "b"))]).toEqual([0o700, 0o700]);
  chmodSync(join(place, "a"), 0o755);
  await makeFolderDurably(join(place, "a"), 0o700);
  expect(permissions(join(place, "a"))).toBe(0o755);
  await expect(syncFolder(join(place, "none"))).rejects.toThrow("ENOENT");
});

test("a file that another program fills is created before, for its owner only", async () => {
  const file = join(folder(), "a");
  ownDurably(file);
  expect([readFileSync(file, "utf8"), permissions(file)]).toEqual(["", 0o600]);
  writeFileSync(file, "content");
  chmodSync(file, 0o644);
  ownDurably(file);
  expect([readFileSync(file, "utf8"), permissions(file)]).toEqual(["content", 0o600]);
  keepPrivate(`${file}-wal`);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test("permissions are those of the existing file, or the default", async () => {
  const file = join(folder(), "a");
  expect(await modeOf(file, 0o644)).toBe(0o644);
  writeFileSync(file, "", { mode: 0o640 });
  expect(await modeOf(file, 0o644)).toBe(0o640);
});

test("a temporary file left by a power cut is recognised by its name", async () => {
  const place = folder();
  let seen: string[] = [];
  async function* looking() {
    seen = readdirSync(place);
    yield new Uint8Array(1);
  }
  await writeDurably(join(place, "a"), looking(), { mode: 0o600 });
  expect([seen.length, seen.every(isDraft), isDraft("a"), isDraft("assay.db")]).toEqual([1, true, false, false]);
});
