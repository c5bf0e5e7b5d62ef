// Checks a receipt in the browser with the server's public keys. Nothing pasted or dropped leaves the page.

const words = JSON.parse(document.body.dataset.words);
const { keys: keysAt, type: receiptType } = document.querySelector("form").dataset;
const form = document.querySelector("form");
const field = document.getElementById("receipt");
const file = document.getElementById("file");
const outcome = document.getElementById("outcome");
const verdict = outcome.querySelector("[data-verdict]");
const facts = outcome.querySelector("dl");
const details = outcome.querySelector("details");

/** Maximum number of characters; no receipt is that long. */
const charactersAtMost = 1_000_000;

/** A problem with a receipt: the key of its message, and the values to fill in. */
class Refusal extends Error {
  constructor(key, values = {}) {
    super(key);
    this.words = fill(key, values);
  }
}

const fill = (key, values) => words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

function bytesOf(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const objectIn = (text) => {
  const value = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return value;
};
const partOf = (part) => objectIn(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(part)));

/** Explains why a text is not a compact JWS: the person may have pasted something similar. */
function otherThing(text) {
  let value;
  try {
    value = objectIn(text);
  } catch {
    return new Refusal("not_receipt");
  }
  if ("run_id" in value && "charges" in value) return new Refusal("unsigned");
  return new Refusal("other_json");
}

/** Parses a receipt into its header, its body, the signed bytes and the signature. Throws a `Refusal`. */
function read(given) {
  const text = given.trim().replace(/^"|"$/g, "").replaceAll(/\s/g, "");
  if (text === "") throw new Refusal("nothing");
  if (text.length > charactersAtMost) throw new Refusal("not_receipt");
  const parts = text.split(".");
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) throw otherThing(given);
  const [head, body, signature] = parts;
  let header;
  try {
    header = partOf(head);
  } catch {
    throw new Refusal("bad_header");
  }
  if (header.typ !== receiptType) throw new Refusal("other_type", { type: header.typ ?? "–" });
  if (header.alg !== "ES256") throw new Refusal("bad_header");
  return { header, body, signed: new TextEncoder().encode(`${head}.${body}`), signature: bytesOf(signature) };
}

async function publicKeys() {
  try {
    const response = await fetch(keysAt);
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()).keys;
  } catch {
    throw new Refusal("no_keys");
  }
}

/** Verifies a receipt's signature with the server's keys, and returns its statement. Throws a `Refusal`. */
async function proved(text) {
  const { header, body, signed, signature } = read(text);
  if (!globalThis.crypto?.subtle) throw new Refusal("no_crypto");
  const keys = await publicKeys();
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) throw new Refusal("unknown_key", { key: header.kid ?? "–", count: keys.length });
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const { kty, crv, x, y } = key;
  const imported = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, curve, false, ["verify"]);
  const isTrue = await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, imported, signature, signed);
  if (!isTrue) throw new Refusal("changed");
  return { statement: partOf(body), keyId: header.kid };
}

function fact(term, ...lines) {
  const name = document.createElement("dt");
  name.textContent = words[term];
  const value = document.createElement("dd");
  value.append(
    ...lines.map((line) => Object.assign(document.createElement("p"), { className: "fact", textContent: line })),
  );
  facts.append(name, value);
}

const moment = (text) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: "UTC",
  }).format(new Date(text));

/** Shows what the receipt proves, in plain words. */
function show({ statement, keyId }) {
  const { run_id, firm, workspace, capability, use_case, version, status, reason, charges, finished_at } = statement;
  const { engine, steps = [], approval, input_sha256, result_sha256 } = statement;
  const count = {
    charged: charges.charged_credits,
    maximum: charges.maximum_credits,
    released: charges.released_credits,
  };
  fact("fact_run", run_id);
  fact("fact_what", `${use_case ?? capability} ${version}`);
  if (engine) fact("fact_engine", `${engine.name} ${engine.version ?? ""}`.trim());
  fact("fact_firm", firm);
  fact("fact_workspace", workspace);
  fact("fact_status", reason ? `${status} (${reason})` : status);
  fact("fact_cost", fill("cost", count));
  if (steps.length > 1)
    fact(
      "fact_steps",
      ...steps.map((step) => `${step.key}: ${step.status}, ${fill("step_cost", { charged: step.charged_credits })}`),
    );
  if (approval?.decision) fact("fact_approval", `${approval.decision}, ${moment(approval.decided_at)}`);
  if (finished_at) fact("fact_finished", moment(finished_at));
  fact("fact_input", input_sha256);
  if (result_sha256) fact("fact_result", result_sha256);
  fact("fact_key", keyId);
  details.querySelector("code").textContent = JSON.stringify(statement, null, 2);
}

let checks = 0;

async function check(text) {
  const own = ++checks;
  facts.replaceChildren();
  details.hidden = true;
  outcome.hidden = false;
  outcome.className = "";
  verdict.textContent = words.checking;
  let said;
  try {
    const result = await proved(text);
    if (own !== checks) return;
    show(result);
    [said, details.hidden] = [words.genuine, false];
    outcome.className = "done";
  } catch (error) {
    if (own !== checks) return;
    facts.replaceChildren();
    said = error instanceof Refusal ? error.words : words.bad_body;
    outcome.className = "message";
  }
  verdict.textContent = said;
  outcome.focus();
}

async function checkFile(chosen) {
  if (!chosen) return;
  field.value = chosen.size > charactersAtMost ? "" : await chosen.text();
  await check(chosen.size > charactersAtMost ? "." : field.value);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void check(field.value);
});
file.addEventListener("change", () => void checkFile(file.files[0]));
// A file may be dropped anywhere on the page.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [dropped] = event.dataTransfer.files;
  if (dropped) return void checkFile(dropped);
  field.value = event.dataTransfer.getData("text/plain");
  void check(field.value);
});
for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
