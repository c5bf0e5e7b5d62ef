// The script of the sign-in pages. URLs are relative to the page; only the page's own texts are ever shown.
const words = JSON.parse(document.body.dataset.words);
const one = (selector, inside = document) => inside.querySelector(selector);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const verifierKey = "assay_code_verifier";

/** Sends one request to the server. `code` is the error code, or empty. */
async function send(method, path, data) {
  const headers = { accept: "application/json", ...(data && { "content-type": "application/json" }) };
  try {
    const response = await fetch(path, { method, headers, ...(data && { body: JSON.stringify(data) }) });
    const text = await response.text();
    const answer = text ? JSON.parse(text) : undefined;
    const { code = response.ok ? "" : "unexpected", details = [] } = answer?.error ?? {};
    return { ok: response.ok, status: response.status, code, details, answer };
  } catch {
    return { ok: false, status: 0, code: "unreachable", details: [] };
  }
}

function tell(text) {
  const place = one("[data-message]");
  place.textContent = text;
  if (text) place.scrollIntoView({ block: "nearest" });
}

/** Returns what is wrong with a field, in the page's language, or an empty text. */
function mistake({ validity }) {
  if (validity.valueMissing) return words.required;
  if (validity.typeMismatch) return words.bad_email;
  return validity.tooShort ? words.bad_password : "";
}

function mark(name, text) {
  const place = one(`[data-error-of="${name}"]`);
  if (!place) return;
  place.textContent = text;
  const input = one(`input[name="${name}"]`);
  if (text) input?.setAttribute("aria-invalid", "true");
  else input?.removeAttribute("aria-invalid");
}

/** Marks every invalid field and focuses the first. Returns whether all are valid. */
function check(form) {
  const inputs = all(".field input", form);
  const wrong = inputs.filter((input) => {
    // Browsers check the length only of typed values, and a password manager may have filled the field in.
    const short = input.minLength > 0 && input.value !== "" && input.value.length < input.minLength;
    const text = mistake(input) || (short ? words.bad_password : "");
    mark(input.name, text);
    return text !== "";
  });
  wrong[0]?.focus();
  return wrong.length === 0;
}

const refusalOf = { email: "bad_email", password: "bad_password" };

/** Shows an error at the fields that the server names, or else above the form. */
function refuse({ code, details }, form, linkFields = [], own = {}) {
  const names = details.map(({ path }) => path.split("/")[2] ?? "");
  if (names.some((name) => linkFields.includes(name)))
    return tell(names.includes("invite") ? words.invite_refused : words.link_invalid);
  const known = names.filter((name) => one(`[data-error-of="${name}"]`, form));
  for (const name of known) mark(name, words[own[name] ?? refusalOf[name] ?? "bad_value"]);
  one(`[name="${known[0]}"]`, form)?.focus();
  if (known.length === 0) tell(words[code] ?? words.unexpected);
}

/** Replaces the form by the success message, and focuses it for keyboards and screen readers. */
function done(form, text, link) {
  const place = one("[data-done]");
  const sentence = document.createElement("p");
  sentence.textContent = text;
  place.replaceChildren(sentence);
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.textContent = words.sign_in_action;
    place.append(anchor);
  }
  for (const passed of [form, ...all(".lead")]) passed.hidden = true;
  place.hidden = false;
  place.focus();
}

const go = (form) => location.assign(form.dataset.next || "console");
/** Returns the one-time secret of a mailed link. */
const linkToken = () => new URLSearchParams(location.search).get("token") ?? location.hash.replace(/^#(token=)?/, "");

const submit = {
  async "sign-in"(form, { email, password }) {
    const result = await send("POST", "session", { email, password });
    if (result.ok) return go(form);
    refuse(result, form, [], { email: "no_firm" });
  },
  async "sign-up"(form, { email, password, full_name }) {
    const invite = new URLSearchParams(location.search).get("invite");
    const more = { ...(full_name && { full_name }), ...(invite && { invite }) };
    const result = await send("POST", "auth/v1/signup", { email, password, ...more });
    if (!result.ok) return refuse(result, form, ["invite"], { email: "email_refused" });
    const { refresh_token } = result.answer;
    if (!refresh_token) return done(form, words.confirm_sent);
    const session = await send("POST", "session", { refresh_token });
    if (session.ok) go(form);
    else refuse(session, form);
  },
  async recover(form, { email }) {
    const result = await send("POST", "auth/v1/recover", { email });
    if (result.ok) return done(form, words.recover_done);
    refuse(result, form);
  },
  async reset(form, { password, revoke_access }) {
    const more = { ...(revoke_access && { revoke_access: true }) };
    const result = await send("POST", "auth/v1/reset-password", { token: linkToken(), password, ...more });
    if (result.ok) return done(form, words.reset_done, "sign-in");
    if (result.status === 401) tell(words.link_invalid);
    else refuse(result, form, ["token"]);
  },
  async confirm(form) {
    const result = await send("POST", "auth/v1/verify", { token: linkToken() });
    if (result.ok) {
      // A new person's link also opens a session, but whoever has the link may not know the password.
      const { refresh_token } = result.answer;
      if (refresh_token) await send("POST", "auth/v1/logout", { refresh_token });
      return done(form, words.confirm_done, "sign-in");
    }
    if (result.status === 401 || result.status === 422) tell(words.link_invalid);
    else refuse(result, form);
  },
};

for (const form of all("form[data-form]"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    tell("");
    if (!check(form)) return;
    const button = one("button[type=submit]", form);
    const label = button.textContent;
    button.disabled = true;
    button.textContent = words.busy;
    await submit[form.dataset.form](form, Object.fromEntries(new FormData(form)));
    button.disabled = false;
    button.textContent = label;
  });

// Shown by the script, since without it they do nothing.
for (const part of all("[data-scripted]")) part.hidden = false;

for (const button of all("[data-toggle]"))
  button.addEventListener("click", () => {
    const input = document.getElementById(button.dataset.toggle);
    const isShown = input.type === "password";
    input.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
    button.textContent = isShown ? words.hide : words.show;
  });

// External sign-in: its result is bound to this tab by a secret that leaves it only at the end (PKCE).
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "");

one("[data-external]")?.addEventListener("click", async ({ currentTarget: { dataset } }) => {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  sessionStorage.setItem(verifierKey, verifier);
  const back = new URL(location.href);
  back.searchParams.delete("code");
  back.searchParams.delete("problem");
  const query = new URLSearchParams({
    provider: dataset.external,
    redirect_to: back.href,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  location.assign(`auth/v1/authorize?${query}`);
});

async function finishExternal(form) {
  const address = new URL(location.href);
  const code = address.searchParams.get("code");
  if (address.searchParams.has("problem")) tell(words.external_failed);
  if (!code) return;
  const code_verifier = sessionStorage.getItem(verifierKey) ?? "";
  sessionStorage.removeItem(verifierKey);
  address.searchParams.delete("code");
  history.replaceState(null, "", address);
  const result = await send("POST", "session", { code, code_verifier });
  if (result.ok) go(form);
  else tell(words.external_failed);
}

const signInForm = one('form[data-form="sign-in"]');
if (signInForm) await finishExternal(signInForm);

for (const button of all("[data-copy]"))
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(one("[data-secret-text]", button.parentElement).textContent);
    button.textContent = words.copied;
  });
