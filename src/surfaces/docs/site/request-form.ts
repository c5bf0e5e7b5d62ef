import { html, type Markup } from "../../../accounts/pages/html.ts";
import type { Parameter } from "../../../web/openapi-document.ts";
import { typeWords } from "../markdown.ts";
import { isForBrowser } from "../reference.ts";
import { formFields } from "../snippets.ts";
import type { Endpoint } from "./navigation.ts";
import { exampleOf, shownRequest } from "./operations.ts";

/** A field of the form, with a hint below it. */
function field(id: string, label: string, control: Markup, hint: string): Markup {
  return html`<div class="field">
<label for="${id}">${label}</label>
${control}
<p class="hint" id="${id}-hint">${hint}</p>
</div>
`;
}

function parameterField(parameter: Parameter, slug: string | undefined): Markup {
  const { name, in: place, required, schema, description = "" } = parameter;
  const id = `field-${name}`;
  const words = [`${place}, ${typeWords(schema).replaceAll("`", "")}`, description].filter(Boolean).join(". ");
  const shared = html`id="${id}" name="${name}" data-place="${place}" aria-describedby="${id}-hint"${required && html` required`}`;
  if (schema.enum) {
    const options = schema.enum.map((value) => html`<option>${String(value)}</option>`);
    return field(id, name, html`<select ${shared}>${!required && html`<option></option>`}${options}</select>`, words);
  }
  // Path parameters other than the slug stay empty, because an example id would not be found. The script creates an
  // idempotency key for each request.
  const value =
    place === "path" ? (name === "slug" && slug) || "" : required && place === "query" ? exampleOf(parameter) : "";
  const input = html`<input ${shared} value="${value}" autocomplete="off" spellcheck="false">`;
  return field(id, name, input, words);
}

/** The form that sends an operation's request from the page. It stays hidden without a script. */
export function requestForm(endpoint: Endpoint, root: string): Markup {
  const { method, path, operation } = endpoint;
  const { parameters = [], security, requestBody } = operation;
  const { body, path: shownPath } = shownRequest(endpoint);
  const slug = shownPath === path ? undefined : shownPath.split("/")[3];
  const [type = "application/json"] = Object.keys(requestBody?.content ?? {});
  const text = body?.isForm
    ? new URLSearchParams(formFields(body.value)).toString()
    : JSON.stringify(body?.value ?? {}, null, 2);
  const rows = Math.min(24, text.split("\n").length + 1);
  const key = html`<input id="field-key" type="password" data-place="key" aria-describedby="field-key-hint" autocomplete="off" spellcheck="false">`;
  const keyHint =
    "An API key or an access token. It stays in this page. Without one, your session is used if you are signed in.";
  const credential = isForBrowser(operation)
    ? html`<div class="field"><p class="hint">It requires an operator's session, not a key. The request is sent with your session.</p></div>
`
    : field("field-key", "Credential", key, keyHint);
  const area = html`<textarea id="field-body" data-place="body" rows="${rows}" spellcheck="false" aria-describedby="field-body-hint">${text}</textarea>`;
  return html`<form class="request" data-request data-method="${method}" data-path="${path}" data-type="${type}" data-root="${root}" hidden>
${security.length > 0 && credential}${parameters.map((parameter) => parameterField(parameter, slug))}${requestBody && field("field-body", "Body", area, `As ${type}.`)}<button type="submit">Send</button>
</form>
<section id="answer" class="answer" aria-labelledby="answer-title" hidden>
<h2 id="answer-title">Response</h2>
<p data-status role="status"></p>
<div class="code"><div class="caption">Body</div><pre tabindex="0"><code></code></pre></div>
</section>
<noscript><p>Sending requests from this page needs JavaScript. The example in the reference does the same from a terminal.</p></noscript>
`;
}
