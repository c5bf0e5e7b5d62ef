import { afterAll, describe, expect, test } from "bun:test";
import { wordsIn } from "../../src/accounts/pages/language.ts";
import { languages } from "../../src/integrations/mail/texts.ts";
import { refusal, World } from "../support/harness.ts";

const world = await World.open(undefined, { baseUrl: "http://assay.test/below" });
afterAll(() => world[Symbol.asyncDispose]());
const html = "text/html,application/xhtml+xml,*/*;q=0.8";

describe("an unknown address", () => {
  for (const language of languages)
    test(`is a page for browsers, in ${language}, with a link to the start`, async () => {
      const response = await world.ask("/forgot/password", { headers: { accept: html, "accept-language": language } });
      const text = await response.text();
      expect([response.status, response.headers.get("content-language")]).toEqual([404, language]);
      expect(text).toContain(`<h1>${wordsIn[language].missing}</h1>`);
      expect(text).toContain('href="/below/"');
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    });

  test("is an error of the API for programs, and below the API's paths", async () => {
    expect(await refusal(await world.ask("/nothing", { headers: { accept: "*/*" } }))).toEqual([404, "not_found"]);
    for (const path of ["/v1/nothing", "/auth/v1/nothing", "/mcp/nothing"])
      expect(await refusal(await world.ask(path, { headers: { accept: html } }))).toEqual([404, "not_found"]);
  });
});
