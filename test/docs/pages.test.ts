import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { page, withDiagrams } from "../../tools/docs/diagrams.ts";

/** The pages read with the code, rather than served by the product. */
const root = join(import.meta.dir, "..", "..");
const names = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...new Glob("docs/**/*.md").scanSync(root),
];
const pages = await Promise.all(names.map(async (name) => ({ name, text: await Bun.file(join(root, name)).text() })));

const isThere = (path: string): boolean =>
  path.includes("*") ? !new Glob(path).scanSync(root).next().done : existsSync(join(root, path));

test("the diagrams match the current statecharts and tables", async () => {
  const text = await Bun.file(page).text();
  expect(text.match(/<!-- diagram: /g)?.length).toBeGreaterThan(5);
  expect(text, "run `bun run docs:diagrams`").toBe(await withDiagrams(text));
});

test("every path that a page names exists", () => {
  // A path starts with a folder of the repository; text in angle brackets is a placeholder.
  const path = /(?<![\w./<>@-])(?:src|machines|db|test|tools|docs|\.ci)\/[\w.*/-]*[\w*]/g;
  const named = pages.flatMap(({ name, text }) => (text.match(path) ?? []).map((path) => ({ name, path })));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
});

test("every module is in the architecture's table of layers", async () => {
  const [, section = ""] = (await Bun.file(page).text()).split("\n## Layers\n");
  const [layers = ""] = section.split("\n## ");
  const described = [...layers.matchAll(/^\| `(?:src\/)?([\w-]+)` /gm)].map(([, name = ""]) => name);
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(described.sort()).toEqual(["machines", "db", ...folders.map(({ name }) => name)].sort());
});

test("every link from one page to another file leads somewhere", () => {
  const links = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = ""]) => ({ name, to: join(dirname(name), to) })),
  );
  expect(links.length).toBeGreaterThan(15);
  expect(links.filter(({ to }) => !existsSync(join(root, to)))).toEqual([]);
});

test("every script that a page runs is one of the project's", async () => {
  const { scripts } = await Bun.file(join(root, "package.json")).json();
  const runs = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:bun|bun@[\d.]+|`) ?run ([a-z][\w:]*)/g)].map(([, script = ""]) => ({ name, script })),
  );
  expect(runs.length).toBeGreaterThan(5);
  expect(runs.filter(({ script }) => !(script in scripts))).toEqual([]);
});

test("every decision is listed, in its order", () => {
  const files = names.flatMap((name) => /^docs\/decisions\/(\d{4}-.+)$/.exec(name)?.[1] ?? []).sort();
  const index = pages.find(({ name }) => name === "docs/decisions/README.md")?.text ?? "";
  expect([...index.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file)).toEqual(files);
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
});
