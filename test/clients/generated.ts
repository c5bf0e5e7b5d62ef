import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ClientWorld, openClientWorld } from "../support/client-world.ts";
import { cache, done, goGenerator, npmTools, pythonTools, root } from "./tools.ts";

/**
 * Clients generated from the served document by third-party generators, without options, each go from the quote to the
 * receipt and read the result by its type. The npm and (if Python is installed) Python generators always run;
 * `CLIENTS=all` adds the slow ones, which need Go and Java.
 */

const walks = join(import.meta.dir, "walks");
const all = process.env.CLIENTS === "all";
const has = (program: string): boolean => Bun.which(program) !== null;
const minutes = 60_000;

let served: ClientWorld;
let env: Record<string, string>;
let document: string;
beforeAll(async () => {
  served = await openClientWorld();
  const input = {
    question: "Should I invest my savings?",
    answer: "This fund is guaranteed to double your money within a year, without any risk.",
    check: "full",
  };
  env = {
    ASSAY_BASE_URL: served.baseUrl,
    ASSAY_API_KEY: served.firm.key,
    ASSAY_INPUT: JSON.stringify(input),
    GOFLAGS: "-mod=mod",
  };
  document = join(cache, "openapi.json");
  await Bun.write(document, await (await fetch(`${served.baseUrl}/openapi-public.json`)).text());
});
afterAll(() => served[Symbol.asyncDispose]());

/** Creates an empty folder for a generator's client, with the program that exercises it. */
function folderFor(name: string, walk: string): string {
  const folder = join(cache, "made", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(walks, walk), join(folder, walk));
  return folder;
}

/** The expected output: status, maximum price, the first finding's severity, and the number of parts of the receipt. */
const arrived = /^succeeded 0 (low|medium|high|critical) 3$/m;

describe("a client generated without options goes from the quote to the receipt, typed:", () => {
  test(
    "openapi-typescript",
    async () => {
      const bin = join(await npmTools(), "node_modules");
      const folder = folderFor("openapi-typescript", "openapi_typescript.ts");
      await done([join(bin, ".bin", "openapi-typescript"), document, "--output", join(folder, "types.ts")]);
      const committed = await Bun.file(join(root, "clients", "typescript", "src", "types.ts")).text();
      expect(await Bun.file(join(folder, "types.ts")).text(), "bun run clients:types").toBe(committed);
      cpSync(bin, join(folder, "node_modules"), { recursive: true });
      const strict = ["--strict", "--noEmit", "--module", "preserve", "--target", "esnext", "--skipLibCheck"];
      const types = ["--allowImportingTsExtensions", "--typeRoots", join(root, "node_modules")];
      await done(
        [join(bin, ".bin", "tsc"), ...strict, ...types, "--types", "bun-types", "openapi_typescript.ts"],
        folder,
      );
      expect(await done([process.execPath, "openapi_typescript.ts"], folder, env)).toMatch(arrived);
    },
    5 * minutes,
  );

  if (has("python3"))
    test(
      "openapi-python-client",
      async () => {
        const bin = join(await pythonTools(), "bin");
        const folder = folderFor("openapi-python-client", "openapi_python_client.py");
        const flags = ["--meta", "none", "--output-path", join(folder, "generated")];
        await done([join(bin, "openapi-python-client"), "generate", "--path", document, ...flags]);
        expect(await done([join(bin, "python"), "openapi_python_client.py"], folder, env)).toMatch(arrived);
      },
      5 * minutes,
    );

  if (all && has("go"))
    test(
      "oapi-codegen",
      async () => {
        const generator = await goGenerator();
        const folder = folderFor("oapi-codegen", "oapi_codegen.go");
        await done([generator, "-package", "main", "-generate", "types,client", "-o", "client.go", document], folder);
        await done(["go", "mod", "init", "assay.test/walk"], folder, env);
        await done(["go", "mod", "tidy"], folder, env);
        expect(await done(["go", "run", "."], folder, env)).toMatch(arrived);
      },
      10 * minutes,
    );

  if (all && has("java") && has("python3"))
    test(
      "openapi-generator for Python",
      async () => {
        const bin = join(await pythonTools(), "bin");
        const folder = folderFor("openapi-generator-python", "openapi_generator.py");
        await done([join(bin, "openapi-generator-cli"), "generate", "-g", "python", "-i", document, "-o", folder]);
        await done([join(bin, "pip"), "install", "--quiet", "-r", "requirements.txt"], folder);
        expect(await done([join(bin, "python"), "openapi_generator.py"], folder, env)).toMatch(arrived);
      },
      10 * minutes,
    );

  if (all && has("java") && has("go") && has("python3"))
    test(
      "openapi-generator for Go",
      async () => {
        const bin = join(await pythonTools(), "bin");
        const folder = folderFor("openapi-generator-go", "openapi_generator.go");
        const made = join(folder, "generated");
        await done([join(bin, "openapi-generator-cli"), "generate", "-g", "go", "-i", document, "-o", made]);
        rmSync(join(made, "test"), { recursive: true, force: true });
        await done(["go", "mod", "edit", "-module", "assay.test/generated"], made, env);
        await done(["go", "mod", "init", "assay.test/walk"], folder, env);
        await done(["go", "mod", "edit", "-replace", "assay.test/generated=./generated"], folder, env);
        await done(["go", "mod", "tidy"], folder, env);
        expect(await done(["go", "run", "."], folder, env)).toMatch(arrived);
      },
      10 * minutes,
    );
});
