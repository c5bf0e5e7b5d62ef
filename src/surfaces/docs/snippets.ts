import { fenced } from "./markdown.ts";

/** A request to show as an example in curl, TypeScript and Python. */
export interface Shown {
  readonly method: string;
  /** Path with a leading slash. `{name}` is read from the environment variable `NAME`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Whether it needs a credential, which is read from the environment. */
  readonly isSigned: boolean;
  /** Whether it takes an idempotency key. Each example generates its own. */
  readonly isIdempotent: boolean;
  readonly body?: { readonly value: unknown; readonly isForm: boolean };
  /** Whether it takes a file, whose path is read from the environment variable `FILE`. */
  readonly isFile?: boolean;
  /** Whether the response is JSON. */
  readonly answersJson: boolean;
}

/** A random key, from tools that every POSIX shell has, unlike `uuidgen`. */
const keyInShell = "$(od -An -tx1 -N16 /dev/urandom | tr -dc 0-9a-f)";

/** Text of an example, never called here. */
const uuidInTypeScript = ["crypto", "randomUUID()"].join(".");

const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);
const parameter = /{(\w+)}/g;
const queryOf = ({ query = {} }: Shown): string => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
};
const typeOf = ({ body }: Shown): string => (body?.isForm ? "application/x-www-form-urlencoded" : "application/json");
/** Returns a form's fields as texts. */
export const formFields = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value ?? {}).map(([name, field]) => [name, String(field)]));

function curl(shown: Shown): string {
  const { method, path, isSigned, isIdempotent, body, isFile } = shown;
  const place = path.replace(parameter, (_, name: string) => `$${name.toUpperCase()}`);
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const data = body?.isForm
    ? Object.entries(formFields(body.value)).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
    : body
      ? [`-d ${quoted(JSON.stringify(body.value, null, 2))}`]
      : [];
  return [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}"$ASSAY${place}${queryOf(shown)}"`,
    ...(isSigned ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(isIdempotent ? [`-H "Idempotency-Key: ${keyInShell}"`] : []),
    ...(body && !body.isForm ? ['-H "Content-Type: application/json"'] : []),
    ...(isFile ? ['-H "Content-Type: application/octet-stream"', '--data-binary "@$FILE"'] : []),
    ...data,
  ].join(" \\\n  ");
}

function typescript(shown: Shown): string {
  const { method, path, isSigned, isIdempotent, body, isFile, answersJson } = shown;
  const place = path.replace(parameter, (_, name: string) => `\${process.env.${name.toUpperCase()}}`);
  const headers = [
    ...(isSigned ? [`Authorization: \`Bearer \${process.env.KEY}\`,`] : []),
    ...(isIdempotent ? [`"Idempotency-Key": ${uuidInTypeScript},`] : []),
    ...(body && !body.isForm ? ['"Content-Type": "application/json",'] : []),
    ...(isFile ? ['"Content-Type": "application/octet-stream",'] : []),
  ];
  const sent = body?.isForm
    ? `new URLSearchParams(${JSON.stringify(formFields(body.value), null, 2)})`
    : body && `JSON.stringify(${JSON.stringify(body.value, null, 2)})`;
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    ...(headers.length > 0 ? [`headers: {\n    ${headers.join("\n    ")}\n  },`] : []),
    ...(sent ? [`body: ${indented(sent, "  ")},`] : []),
    ...(isFile ? ["body: await readFile(process.env.FILE),"] : []),
  ];
  const rest = options.length > 0 ? `, {\n  ${options.join("\n  ")}\n}` : "";
  return [
    ...(isFile ? ['import { readFile } from "node:fs/promises";', ""] : []),
    `const response = await fetch(\`\${process.env.ASSAY}${place}${queryOf(shown)}\`${rest});`,
    `console.log(response.status, await response.${answersJson ? "json" : "text"}());`,
  ].join("\n");
}

/** JavaScript that asks for a file, on any page. */
const chosenFile = `const file = await new Promise((choose) => {
  const input = Object.assign(document.createElement("input"), { type: "file" });
  input.onchange = () => choose(input.files[0]);
  input.click();
});`;

/**
 * Returns the example as JavaScript for the browser console on a page of this installation, which sends its session. It
 * prompts for path parameters.
 */
export function browserSnippet(shown: Shown, baseUrl: string): string {
  const { method, path, isIdempotent, body, isFile } = shown;
  const names = [...path.matchAll(parameter)].map(([, name = ""]) => name);
  const headers = [
    ...(isIdempotent ? [`"Idempotency-Key": ${uuidInTypeScript},`] : []),
    ...(body ? [`"Content-Type": "${typeOf(shown)}",`] : []),
    ...(isFile ? ['"Content-Type": "application/octet-stream",'] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    ...(headers.length > 0 ? [`headers: {\n    ${headers.join("\n    ")}\n  },`] : []),
    ...(body ? [`body: JSON.stringify(${indented(JSON.stringify(body.value, null, 2), "  ")}),`] : []),
    ...(isFile ? ["body: file,"] : []),
  ];
  const place = path.replace(parameter, (_, name: string) => `\${encodeURIComponent(${name})}`);
  const rest = options.length > 0 ? `, {\n  ${options.join("\n  ")}\n}` : "";
  const lines = [
    ...names.map((name) => `const ${name} = prompt("${name}");`),
    ...(isFile ? [chosenFile] : []),
    `const response = await fetch(\`${baseUrl}${place}${queryOf(shown)}\`${rest});`,
    `console.log(response.status, await response.${shown.answersJson ? "json" : "text"}());`,
  ];
  return fenced("js", lines.join("\n"));
}

/** Formats a JSON value as a Python literal. */
function literal(value: unknown, by = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${by}    `;
  const inside = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${literal(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return inside.length === 0
    ? open + close
    : `${open}\n${inside.map((line) => `${deeper}${line},\n`).join("")}${by}${close}`;
}

function python(shown: Shown): string {
  const { method, path, isSigned, isIdempotent, body, isFile, answersJson } = shown;
  const place = path.replace(parameter, (_, name: string) => `{os.environ['${name.toUpperCase()}']}`);
  const headers = [
    ...(isSigned ? [`"Authorization": f"Bearer {os.environ['KEY']}",`] : []),
    ...(isIdempotent ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body ? [`"Content-Type": "${typeOf(shown)}",`] : []),
    ...(isFile ? ['"Content-Type": "application/octet-stream",'] : []),
  ];
  const encoded = body?.isForm
    ? `urllib.parse.urlencode(${literal(formFields(body.value), "    ")})`
    : body && `json.dumps(${literal(body.value, "    ")})`;
  const parts = ["json", "os", ...(body?.isForm ? ["urllib.parse"] : []), "urllib.request"];
  const used = isIdempotent ? [...parts, "uuid"] : parts;
  return [
    `import ${used.filter((part) => part !== "json" || answersJson || (body && !body.isForm)).join(", ")}`,
    "",
    "request = urllib.request.Request(",
    `    f"{os.environ['ASSAY']}${place}${queryOf(shown)}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={\n        ${headers.join("\n        ")}\n    },`] : []),
    ...(encoded ? [`    data=${encoded}.encode(),`] : []),
    ...(isFile ? ["    data=open(os.environ['FILE'], 'rb').read(),"] : []),
    ")",
    "with urllib.request.urlopen(request) as response:",
    `    print(response.status, ${answersJson ? "json.load(response)" : "response.read().decode()"})`,
  ].join("\n");
}

/**
 * Returns the example in three languages, as adjacent labelled code blocks, which readers see as tabs. They read the
 * installation's address from `ASSAY` and the credential from `KEY`.
 */
export const snippets = (shown: Shown): string =>
  [
    fenced("sh curl", curl(shown)),
    fenced("ts TypeScript", typescript(shown)),
    fenced("python Python", python(shown)),
  ].join("\n\n");
