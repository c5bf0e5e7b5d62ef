import { afterAll, describe, expect, test } from "bun:test";
import { landingWordsIn } from "../../src/accounts/pages/words/landing.ts";
import { languages } from "../../src/integrations/mail/texts.ts";
import { refusal, World } from "../support/harness.ts";
import { browserOf } from "../support/operator-browser.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());
const html = "text/html,application/xhtml+xml,*/*;q=0.8";
const ask = (headers: Record<string, string> = {}) => world.ask("/", { headers: { accept: html, ...headers } });

describe("the page at the root", () => {
  for (const language of languages)
    test(`explains the product in ${language}, without JavaScript, with links to go on`, async () => {
      const response = await ask({ "accept-language": `${language}-XX,xx;q=0.1` });
      const text = await response.text();
      expect([response.status, response.headers.get("content-language")]).toEqual([200, language]);
      expect(text).toContain(`<h1>${landingWordsIn[language].title}</h1>`);
      expect(text).not.toMatch(/<script|<style| style=| on\w+=/);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      const next = "?redirect_to=http%3A%2F%2Fassay.test%2Fconsole";
      for (const to of [`sign-in${next}`, `sign-up${next}`, "docs", "docs/api"]) expect(text).toContain(`href="${to}"`);
      expect(text).toContain("<code>http://assay.test/mcp</code>");
    });

  test("redirects signed-in people to the console", async () => {
    const response = await (await browserOf(world)).ask("/", { headers: { accept: html } });
    expect([response.status, response.headers.get("location")]).toEqual([302, "console"]);
  });

  test("returns the usual 404 to programs that want JSON", async () => {
    for (const accept of ["application/json", "application/problem+json, application/json;q=0.9"])
      expect(await refusal(await ask({ accept }))).toEqual([404, "not_found"]);
    expect((await ask({ accept: "*/*" })).headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("offers an account only if sign-up is open", async () => {
    await using invited = await World.open(undefined, { signUp: "invited" });
    expect(await (await invited.ask("/", { headers: { accept: html } })).text()).not.toContain('href="sign-up');
  });
});
