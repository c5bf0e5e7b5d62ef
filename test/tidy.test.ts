import { afterAll, describe, expect, test } from "bun:test";
import { basename, dirname, join, normalize } from "node:path";
import { Glob } from "bun";
import { threadFiles } from "../src/platform/threads.ts";

/**
 * Conventions that reviewers should not have to discuss. They scan lines: every file is formatted, so indentation shows
 * the structure.
 */
const root = join(import.meta.dir, "..");
const named = (pattern: string): string[] => [...new Glob(pattern).scanSync(root)].sort();
const code = [...named("{src,machines,db}/**/*.{ts,tsx}"), ...named("build.ts")];
const tests = named("test/**/*.ts");
/** Code that runs in the browser. */
const browserCode = "src/surfaces/console/app/";
const texts = new Map<string, string>();
for (const file of [...code, ...tests]) texts.set(file, await Bun.file(join(root, file)).text());
const linesOf = (file: string): string[] => (texts.get(file) ?? "").split("\n");
const scripts = JSON.stringify((await Bun.file(join(root, "package.json")).json()).scripts);

/** Number of exported functions without a docstring. Lower it whenever possible; it never goes up. */
const undocumentedAtMost = 16;

interface Import {
  readonly from: string;
  readonly to: string;
}

const statement = /^(?:import|export)\b(?:[^"]*?\bfrom)? ?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;
const imports: Import[] = [...code, ...tests].flatMap((from) =>
  [...(texts.get(from) ?? "").matchAll(statement)].map(([, path, late = ""]) => ({
    from,
    to: normalize(join(dirname(from), path ?? late)),
  })),
);
const arrows = imports.filter(({ from, to }) => code.includes(from) && code.includes(to));
const shown = ({ from, to }: Import): string => `${from} → ${to}`;

/** The layers from the bottom up: a file may import only from its own or a lower one. */
const order = [
  "platform",
  "machines",
  "db",
  "contracts",
  "integrations",
  "knowledge",
  "execution",
  "identity",
  "registry",
  "web",
  "runs",
  "jobs",
  "products",
  "accounts",
  "surfaces",
  "config",
  "app.ts",
  "demo",
  "cli",
  "main.ts",
  "build.ts",
];
const areaOf = (file: string): string => {
  const [top = "", second = ""] = file.split("/");
  return top === "src" ? second : top;
};
const floorOf = (file: string): number => order.indexOf(areaOf(file));
const backward = arrows.filter(({ from, to }) => floorOf(from) < floorOf(to));

describe("imports point one way", () => {
  test("and are all found", () => {
    const words = code.flatMap((file) => [
      ...(texts.get(file) ?? "").matchAll(/(from|import\(|^import) ?"\.\.?\/[^"]+\.tsx?"/gm),
    ]);
    expect(imports.filter(({ from, to }) => code.includes(from) && /\.tsx?$/.test(to)).length).toBe(words.length);
  });

  test("every file belongs to a layer", () => {
    expect(code.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  test("no file imports from a higher layer", () => {
    expect(backward.map(shown)).toEqual([]);
  });

  test("only the adapter imports the web framework, and only the OpenAPI code its plug-in", () => {
    const framework = /(\bfrom|import\() ?"(elysia|@elysiajs\/[^"]+)"/;
    const users = code.filter((file) => framework.test(texts.get(file) ?? ""));
    expect(users).toEqual(["src/web/adapter.ts", "src/web/openapi.ts"]);
  });

  test("code names the services that it needs, ten at most, instead of taking all of them", () => {
    expect(code.filter((file) => basename(file) === "parts.ts")).toEqual([]);
    const services = /^(?:export )?interface (\w+(?:Services|Parts))\b[^{]*\{\n([^}]*)\n\}/gm;
    const named = code.flatMap((file) =>
      [...(texts.get(file) ?? "").matchAll(services)].map(([, name, members = ""]) => ({
        name: `${file} ${name}`,
        members: members.split("\n").filter((line) => line.startsWith("  readonly ")).length,
      })),
    );
    expect(named.filter(({ members }) => members > 10).map(({ name }) => name)).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  test("statecharts and the database do not import each other", () => {
    const pair = ["machines", "db"];
    const mixed = arrows.filter(
      ({ from, to }) => areaOf(from) !== areaOf(to) && pair.includes(areaOf(from)) && pair.includes(areaOf(to)),
    );
    expect(mixed.map(shown)).toEqual([]);
  });

  test("statecharts import only the lowest layer", () => {
    const impure = arrows.filter(
      ({ from, to }) => areaOf(from) === "machines" && floorOf(to) > 0 && areaOf(to) !== "machines",
    );
    expect(impure.map(shown)).toEqual([]);
  });

  test("capabilities do not import each other", () => {
    const slugOf = (file: string) => file.match(/^src\/products\/capabilities\/([^/]+)\//)?.[1];
    const crossed = arrows.filter(
      ({ from, to }) => slugOf(from) !== undefined && slugOf(to) !== undefined && slugOf(from) !== slugOf(to),
    );
    expect(crossed.map(shown)).toEqual([]);
  });

  test("only the app imports routes", () => {
    const taken = arrows.filter(
      ({ from, to }) => to.endsWith("/routes.ts") && from !== "src/app.ts" && dirname(from) !== dirname(to),
    );
    expect(taken.map(shown)).toEqual([]);
  });

  test("the client's commands import only schemas and the lowest layer", () => {
    const wire = /\/(schema|errors|cursor|surface|contract)\.ts$/;
    const deep = arrows.filter(
      ({ from, to }) => from.startsWith("src/cli/client/") && areaOf(to) !== "cli" && floorOf(to) > 0 && !wire.test(to),
    );
    expect(deep.map(shown)).toEqual([]);
  });

  test("only the command line, the demo and tests open an app", () => {
    const openers = arrows.filter(({ from, to }) => to === "src/app.ts" && floorOf(from) < order.indexOf("app.ts"));
    expect(openers.map(shown)).toEqual([]);
  });
});

test("every file is reachable from an entry point", () => {
  const next = Map.groupBy(arrows, ({ from }) => from);
  // Worker threads and the browser have their own entry points, and the bundler generates the browser's theme.
  const browsers = ["ahead.ts", "libraries.ts", "main.tsx", "shell/theme-styles.ts"].map((name) => browserCode + name);
  const programs = ["src/main.ts", "build.ts", ...browsers, ...Object.values<string>(threadFiles)];
  const isEntry = (file: string) => programs.includes(file) || scripts.includes(file);
  // A script's docstring says how it is run.
  const isScript = (file: string) => (texts.get(file) ?? "").includes(`bun ${file}`);
  const entries = code.filter((file) => isEntry(file) || isScript(file));
  const reached = new Set(entries);
  for (const file of reached) for (const { to } of next.get(file) ?? []) reached.add(to);
  expect(code.filter((file) => !reached.has(file) && !file.endsWith(".d.ts"))).toEqual([]);
});

test("no file has more than 400 lines", () => {
  expect([...code, ...tests].filter((file) => linesOf(file).length > 401)).toEqual([]);
});

const control =
  /^\s*(\} )?(if|else|for|while|switch|catch|try|do|return|const \{|let|import|export (interface|type))\b/;

/**
 * Returns whether a line opens a function's block, or the value of an arrow function. `) {` on its own closes the list
 * that started at its indentation.
 */
function opensFunction(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (!/[{[(]$/.test(line) || line.trimStart().startsWith("*") || line.trimStart().startsWith("//")) return false;
  if (/=> (\{|\[|\(\{?)$/.test(line) || /\bfunction\b.*\{$/.test(line)) return true;
  const indent = line.match(/^\s*/)?.[0] ?? "";
  if (/^\s*\)(: .+)? \{$/.test(line)) {
    const begun = lines
      .slice(0, at)
      .findLast((earlier) => earlier.startsWith(indent) && /^\S/.test(earlier.slice(indent.length)));
    return begun !== undefined && !control.test(begun);
  }
  return (
    /^\s*((async|static|private|get|set) )*[\w$[\].]+(<[^(]*>)?\(.*\)(: .+)? \{$/.test(line) && !control.test(line)
  );
}

interface FunctionFound {
  readonly file: string;
  readonly at: number;
  /** Number of lines, including nested functions. */
  lines: number;
}

function functionsIn(file: string): FunctionFound[] {
  const lines = linesOf(file);
  const open: (FunctionFound & { readonly indent: string })[] = [];
  const ended: FunctionFound[] = [];
  for (const [at, line] of lines.entries()) {
    const innermost = open.at(-1);
    for (const one of open) one.lines++;
    if (innermost && line.startsWith(innermost.indent) && /^[}\])]/.test(line.slice(innermost.indent.length)))
      ended.push(...open.splice(-1));
    if (opensFunction(lines, at)) open.push({ file, indent: line.match(/^\s*/)?.[0] ?? "", at: at + 1, lines: 1 });
  }
  return ended;
}

// A migration is most readable as one list.
const functions = code.filter((file) => !file.startsWith("db/schema/migrations/")).flatMap(functionsIn);
const placed = ({ file, at }: FunctionFound): string => `${file}:${at}`;

test("no function has more than 70 lines, including nested functions", () => {
  const long = functions.filter(({ lines }) => lines > 70);
  const files = long.map(({ file }) => file);
  expect(files, long.map((one) => `${placed(one)} ${one.lines} lines`).join("\n")).toEqual([]);
  expect(functions.length).toBeGreaterThan(300);
});

test(`at most ${undocumentedAtMost} exported functions have no docstring`, () => {
  const exported =
    /^export (async )?function|^export const \w+ =( async)?( \(|\s*$| <)|^export class|^export const \w+ = prepared/;
  // A query called `insertRun` or `quoteById` is documented by its name and types.
  const obvious = /^export (async )?(const|function) ((insert|touch|set|clear|count|all)[A-Z]|\w+(Of|ById|ByEmail)\b)/;
  const tells = (file: string, line: string) => exported.test(line) && !(file.startsWith("db/") && obvious.test(line));
  const bare = code.flatMap((file) =>
    linesOf(file).flatMap((line, i, lines) =>
      tells(file, line) && !/\*\/$/.test(lines[i - 1] ?? "") ? [`${file}:${i + 1} ${line}`] : [],
    ),
  );
  expect(bare.length, bare.join("\n")).toBeLessThanOrEqual(undocumentedAtMost);
});

/** Returns the matching lines with their places. */
const found = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    linesOf(file).flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
  );

/** Files that still use the machine directly, and those with state in a module. Both lists may only get shorter. */
const askTheMachine = ["src/platform/files.ts", "src/platform/findings.ts"];
const filesOf = (lines: readonly string[]): string[] => [...new Set(lines.map((line) => line.replace(/:.*/, "")))];

test("time, ids, chance, turns and threads come from the runtime", () => {
  const runtimes = ["src/platform/runtime.ts", `${browserCode}shared/browser.ts`];
  const others = code.filter((file) => !runtimes.includes(file));
  const machine = new RegExp(
    [
      /\b(Date\.now|performance\.now|process\.hrtime|Math\.random|AbortSignal\.timeout|new Worker|node:(timers|dns))\b/,
      /\bset(Timeout|Interval|Immediate)\b|\bBun\.(sleep|sleepSync|nanoseconds|randomUUIDv7)\b|new Date\(\)/,
      /\bcrypto\.(random|getRandom)\w+|(?<![.\w"])(randomBytes|randomUUID|randomInt|newId)\(/,
      /\brandom(Bytes|UUID|Int)\b.*"node:crypto"/,
    ]
      .map(({ source }) => source)
      .join("|"),
  );
  const asking = found(others, machine).filter((line) => !/^\S+ (\*|\/\/|\/\*\*)/.test(line));
  expect(filesOf(asking), asking.join("\n")).toEqual(askTheMachine);
  // The runtime is passed in. Only what starts the product uses the machine's own, and `newId` until it has no callers.
  const starts = ["src/cli/io.ts", "src/platform/ids.ts", "build.ts"];
  expect(filesOf(found(others, /\bsystemRuntime\b/))).toEqual(starts);
});

test("no module keeps state", () => {
  expect(filesOf(found(code, /^(export )?let\b/))).toEqual([]);
});

/** Functions of `fs` that write files directly. */
const writes = /^(append|copy|createWrite|cp|f?truncate|link|mk|open|rename|symlink|utimes|write)/;
/** Files that may write, each with the reason. */
const ownWriters: Readonly<Record<string, string>> = {
  "src/platform/files.ts": "the one module: writes and syncs a temporary file, renames it, syncs the folder",
  "src/cli/client/store.ts": "a lock that must not survive a power cut",
  "db/sqlite/writing-connection.ts": "opens what SQLite has written to sync it",
};

test("only one module writes files, and it syncs them", () => {
  const fromSystem = /^import (?:type )?\{([^}]*)\} from "(?:node:)?fs(?:\/promises)?"/gm;
  const product = code.filter((file) => file !== "build.ts" && !Object.hasOwn(ownWriters, file));
  const own = product.flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(fromSystem)].flatMap(([, names = ""]) =>
      names.split(",").flatMap((name) => (writes.test(name.trim()) ? [`${file} ${name.trim()}`] : [])),
    ),
  );
  expect(own).toEqual([]);
  // No `fs` namespace imports, which would hide the names, and none of Bun's own ways to write.
  const hidden = /import \* as \w+ from "(node:)?fs|(import|getBuiltinModule)\("(node:)?fs|\bBun\.write\(|\.writer\(\)/;
  expect(found(product, hidden)).toEqual([]);
});

test("no type check is bypassed", () => {
  const escapes =
    /\bas any\b|: any\b|<any>|as unknown as|@ts-(ignore|expect-error|nocheck)|biome-ignore|[\w\])]!(\.|;|,|\)|\[)/;
  const texts = /"[^"]*"|`[^`]*`/g;
  expect(found(code, escapes).filter((line) => escapes.test(line.replace(texts, '""')))).toEqual([]);
});

test("no word suggests unfinished work", () => {
  const words = /\b(todo|fixme|xxx|hack|stub(bed)?|placeholder|not implemented|for now|dummy|hard-?coded)\b/i;
  expect(found(code, words)).toEqual([]);
});

test("no test is skipped, sleeps, or can't fail", () => {
  const off = /\b(test|it|describe)\.(skip|todo|only|if)\b|expect\(true\)|Bun\.sleep\(|setTimeout\(/;
  // Tests that drive another process can only wait by sleeping.
  const inProcess = tests.filter((file) => !/^test\/(crash|bench|blackbox|fuzz)\//.test(file));
  expect(found(inProcess, off)).toEqual([]);
});

test("no path or host of a particular machine appears", () => {
  const own = /(^|[^A-Za-z0-9.])\/(work|root|farm|tmp)\/[a-z.]|https?:\/\/registry\./;
  expect(found([...code, ...tests], own)).toEqual([]);
});

afterAll(() => {
  const between = arrows.map(({ from, to }) => [areaOf(from), areaOf(to)]).filter(([from, to]) => from !== to);
  const rooms = new Set(code.map(areaOf));
  const distinct = new Set(between.map(([from, to]) => `${from} → ${to}`));
  const [longest] = functions.toSorted((a, b) => b.lines - a.lines);
  console.log(
    `${rooms.size} rooms, ${distinct.size} arrows between them (${between.length} imports), ${backward.length} backward;`,
    longest ? `the longest function has ${longest.lines} lines (${placed(longest)})` : "",
  );
});
