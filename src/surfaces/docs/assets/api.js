// Sends the request in the page's form and shows the response. A separate file, because the page allows no inline script.

const form = document.querySelector("form[data-request]");
const answer = document.getElementById("answer");
const line = answer.querySelector("[data-status]");
const body = answer.querySelector("code");

/** Returns the address and the options for `fetch`, from the form's fields. */
function requestOf({ method, path, type }, fields) {
  const query = new URLSearchParams();
  const headers = new Headers();
  let place = path;
  let sent;
  for (const field of fields) {
    const { name, value } = field;
    const { place: where } = field.dataset;
    if (where === "path") place = place.replace(`{${name}}`, encodeURIComponent(value));
    else if (value.trim() === "") continue;
    else if (where === "query") query.set(name, value);
    else if (where === "header") headers.set(name, value);
    else if (where === "key") headers.set("authorization", `Bearer ${value.trim()}`);
    else if (where === "body") sent = value;
  }
  if (sent !== undefined) headers.set("content-type", type);
  const search = query.toString();
  // With a key, only the key is sent; without one, the session cookie.
  const credentials = headers.has("authorization") ? "omit" : "same-origin";
  return [place + (search && `?${search}`), { method, headers, body: sent, credentials }];
}

/** Formats JSON with line breaks; returns any other text unchanged. */
function readable(text, type) {
  if (!/\bjson\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  line.textContent = "Sending…";
  body.textContent = "";
  answer.hidden = false;
  const begun = performance.now();
  try {
    const fields = [...form.elements].filter((field) => field.dataset.place);
    const [path, options] = requestOf(form.dataset, fields);
    const response = await fetch(form.dataset.root + path.slice(1), options);
    const text = await response.text();
    const id = response.headers.get("x-request-id");
    const ms = Math.round(performance.now() - begun);
    line.textContent = `${response.status} ${response.statusText} · ${ms} ms${id ? ` · request ${id}` : ""}`;
    body.textContent = readable(text, response.headers.get("content-type") ?? "");
  } catch (error) {
    line.textContent = `No response: ${error.message}`;
  } finally {
    button.disabled = false;
    if (body.textContent !== "") freshKey();
  }
});
/** Sets a new idempotency key, so that the next request is not taken for a repeat. */
function freshKey() {
  const field = form.elements["Idempotency-Key"];
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  if (field) field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
freshKey();
form.hidden = false;
