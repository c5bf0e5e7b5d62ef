import { present } from "../../src/platform/assert.ts";
import type { World } from "./harness.ts";
import { base, formIn } from "./oauth-world.ts";

/** A plain HTTP client: it keeps cookies, follows redirects on the product's own host, and does not interpret pages. */
export class PlainClient {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly world: World,
    private readonly language = "en",
  ) {}

  private async send(url: string, form?: URLSearchParams): Promise<Response> {
    const path = url.startsWith(base) ? url.slice(base.length) : url;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await this.world.ask(path, {
      headers: {
        cookie,
        "accept-language": this.language,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: form.toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      this.cookies.set(name, value);
    }
    return response;
  }

  /**
   * Requests a path and follows redirects. Returns the final address, which may be on another host, and the last
   * response.
   */
  async visit(path: string, form?: URLSearchParams): Promise<{ at: string; page: Response }> {
    let at = new URL(path, base).href;
    let page = await this.send(at, form);
    for (let hops = 0; hops < 5 && page.headers.has("location"); hops++) {
      at = new URL(present(page.headers.get("location") ?? undefined, "an address"), at).href;
      if (!at.startsWith(base)) break;
      page = await this.send(at);
    }
    return { at, page };
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }
}

/** Returns the values of a page's form with `values` filled in. */
export const filledIn = (text: string, values: Readonly<Record<string, string>>): URLSearchParams => {
  const form = formIn(text);
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};
/** Returns the address to which a browser would submit the page's form; by default, the page's own. */
export const actionOf = (text: string, at: string): string => {
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
  return action === undefined ? at : new URL(action, at).href;
};
