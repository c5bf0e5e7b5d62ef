import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../src/cli/io.ts";
import { storageTrouble } from "../../src/cli/storage-trouble.ts";
import { assay, Installation } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

/** An address without a server: an invalid file is reported before it is contacted. */
const nowhere = { ASSAY_BASE_URL: "http://127.0.0.1:9", ASSAY_API_KEY: "assay_sk_none" };

describe("an unreadable file given to a command is an invalid argument:", () => {
  let place: Installation;
  let good: string;
  beforeAll(async () => {
    place = new Installation();
    await place.init();
    good = join(place.folder, "good.txt");
    writeFileSync(good, "a,b\n");
    mkdirSync(join(place.folder, "folder"));
  });
  afterAll(() => place[Symbol.asyncDispose]());

  const commands: readonly (readonly [string, (file: string) => string[]])[] = [
    ["a backup to restore", (file) => ["restore", file, "--data", join(place.folder, "restored")]],
    ["studies to import", (file) => ["import", "studies", file, "--data", place.data]],
    ["a mapping", (file) => ["import", "eu-data", good, "--mapping", file, "--data", place.data]],
    ["a connector's manifest", (file) => ["admin", "connectors", "add", file, "--data", place.data]],
    ["a receipt", (file) => ["receipt", "verify", file]],
    ["public keys", (file) => ["receipt", "verify", good, "--jwks", file]],
    ["an answer to check", (file) => ["check", "--question", "Is it so?", "--answer", file]],
  ];
  for (const [name, args] of commands)
    test(name, async () => {
      for (const [file, reason] of [
        ["no-such-file", /no-such-file can't be read: no such file or directory/],
        ["folder", /folder (can't be read: it is a folder|is not a file)/],
      ] as const) {
        const { code, err } = await assay(args(join(place.folder, file)), nowhere);
        expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
      }
    });

  test("documents and data to import, which may be folders", async () => {
    for (const what of ["insurance", "eu-data"]) {
      const { code, err } = await place.run("import", what, join(place.folder, "no-such-file"));
      expect([code, err]).toEqual([2, expect.stringContaining("no-such-file can't be read: no such file")]);
    }
  });

  test("as is an impossible location for a backup", async () => {
    for (const [file, reason] of [
      [join(good, "b.db"), "a part of its path is a file"],
      [join(place.folder, "none", "b.db"), "Create its folder first"],
      [good, "already exists"],
    ] as const) {
      const { code, err } = await place.run("backup", file);
      expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
    }
  });
});

test("a read-only file system is reported as such, without advice on permissions", () => {
  const readOnly = Object.assign(new Error("EROFS: read-only file system, mkdir '/data'"), { code: "EROFS" });
  const trouble = storageTrouble(readOnly, "/data");
  expect(trouble).toBeInstanceOf(CommandError);
  expect([trouble?.message, trouble?.hint]).toEqual([
    "/data can't be used: the file system is read-only (EROFS)",
    "Remount the file system read-write, or name another folder with --data.",
  ]);
});
