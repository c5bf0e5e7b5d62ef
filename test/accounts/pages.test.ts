import { afterAll, describe, expect, test } from "bun:test";
import { pagePaths } from "../../src/accounts/auth/links.ts";
import { languageOf, wordsIn } from "../../src/accounts/pages/language.ts";
import { pages } from "../../src/accounts/pages/templates.ts";
import { languages } from "../../src/integrations/mail/texts.ts";
import { World } from "../support/harness.ts";
import { newcomer } from "../support/people.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const titles: Readonly<Record<string, keyof typeof wordsIn.en>> = {
  ...Object.fromEntries(Object.entries(pages).map(([name, { title }]) => [name, title])),
  account: "account",
};
const names = Object.keys(titles);
const cookie = `assay_access=${(await newcomer(world)).access_token}`;
const shown = async (name: string, headers: Record<string, string> = {}) => {
  const response = await world.ask(`/${name}`, { headers: { cookie, ...headers } });
  return { response, text: await response.text() };
};

describe("every page", () => {
  for (const name of names)
    for (const language of languages)
      test(`/${name} is served in ${language}, labelled and without inline code`, async () => {
        const { response, text } = await shown(name, { "accept-language": `${language}-XX,xx;q=0.1` });
        expect(response.status).toBe(200);
        expect(response.headers.get("content-language")).toBe(language);
        expect(text).toContain(`<html lang="${language}">`);
        expect(text).toContain(`<h1>${wordsIn[language][titles[name] ?? "account"]}</h1>`);
        expect(text).not.toMatch(/ style=| on\w+=|<style|javascript:/);
        for (const [, script = ""] of text.matchAll(/<script([^>]*)>/g)) expect(script).toContain(" src=");
        const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const [, id] of text.matchAll(/<(?:input|select)[^>]* id="([^"]+)"/g))
          expect(text).toContain(`<label for="${id}">`);
        for (const [, list = ""] of text.matchAll(/aria-describedby="([^"]+)"/g))
          for (const id of list.split(" ")) expect(ids).toContain(id);
      });

  for (const name of names)
    test(`/${name} may load its own files only, and cannot be framed`, async () => {
      const { headers } = (await shown(name)).response;
      const policy = new Map(
        (headers.get("content-security-policy") ?? "").split("; ").map((rule) => {
          const [directive = "", ...sources] = rule.split(" ");
          return [directive, sources.join(" ")];
        }),
      );
      expect(Object.fromEntries(policy)).toEqual({
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
      });
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    });

  test("links to existing files, cacheable for a year", async () => {
    const { text } = await shown("sign-in");
    const files = [...text.matchAll(/(?:href|src)="(pages\/assets\/[^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const response = await world.ask(`/${file}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toContain("immutable");
    }
    expect((await world.ask("/pages/assets/older/pages.js")).status).toBe(404);
  });

  test("is the target of a link in an email", () => {
    for (const path of Object.values(pagePaths)) expect(names).toContain(path.slice(1));
  });
});

test("the language is the most preferred one available", () => {
  const rows: [string | null, string][] = [
    [null, "en"],
    ["", "en"],
    ["cs", "cs"],
    ["cs,en;q=0.9", "cs"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["fr-CH, fr;q=0.9, sk;q=0.7, en;q=0.8", "en"],
    ["fr, SK;q=0.2", "sk"],
    ["cs;q=0, de;q=0.1", "de"],
    ["cs;q=nonsense, de;q=0.1", "de"],
    ["*", "en"],
    ["xx,yy", "en"],
    ["constructor", "en"],
  ];
  for (const [header, language] of rows) expect([header, languageOf(header)]).toEqual([header, language as never]);
});

test("a new person is written to in the language of the pages", async () => {
  const headers = { "accept-language": "cs,en;q=0.9" };
  const given = { email: "eva@pages.test", password: "four words nobody combines" };
  const answer = await world.ask("/auth/v1/signup", { body: given, headers });
  expect(await answer.json()).toMatchObject({ user: { locale: "cs" } });
});

test("no language lacks a text or its placeholder", () => {
  for (const [language, words] of Object.entries(wordsIn))
    for (const [key, text] of Object.entries(words)) {
      const where = `${language}.${key}`;
      expect([where, text.trim() === text && text !== ""]).toEqual([where, true]);
      expect([where, text.includes("{name}")]).toEqual([
        where,
        wordsIn.en[key as keyof typeof words].includes("{name}"),
      ]);
    }
});

describe("the destination of a sign-in", () => {
  const next = async (redirect_to: string) =>
    /data-next="([^"]*)"/.exec((await shown(`sign-in?${new URLSearchParams({ redirect_to })}`)).text)?.[1];

  test("is the console by default", async () => {
    expect((await shown("sign-in")).text).toContain('data-next="console"');
  });
  test("is the requested page if it is the product's own", async () => {
    expect(await next("/console?tab=a&b=c")).toBe("/console?tab=a&amp;b=c");
  });
  const disguised = [
    "/.//evil.example/phish",
    "/a/..//evil.example",
    "/..//evil.example",
    "http://assay.test//evil.example",
  ];
  const plain = ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", `"><script>`];
  for (const bad of [...plain, ...disguised])
    test(`is the console if ${JSON.stringify(bad)} is requested`, async () => {
      expect(await next(bad)).toBe("console");
      expect((await shown(`sign-up?${new URLSearchParams({ redirect_to: bad })}`)).text).not.toContain("evil");
      expect((await shown(`sign-in?${new URLSearchParams({ redirect_to: bad })}`)).text).not.toContain("evil");
    });
});

test("the account page redirects to the sign-in without a session", async () => {
  const response = await world.ask("/account");
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("sign-in");
});

test("the external provider is offered if configured", async () => {
  expect((await shown("sign-in")).text).not.toContain("data-external");
  const external = { name: "keycloak", issuer: "http://127.0.0.1:9", client_id: "assay", client_secret: "unused" };
  await using offering = await World.open(undefined, { external });
  const page = await (await offering.ask("/sign-in")).text();
  expect(page).toContain('data-external="keycloak"');
  expect(page).toContain("Continue with keycloak");
});

/** Returns the relative luminance (WCAG 2.2) of a colour such as `#14532d`. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("text contrast meets WCAG AA", async () => {
  const style = await Bun.file(new URL("../../src/accounts/pages/assets/tokens.css", import.meta.url)).text();
  const schemes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = ""]) =>
    Object.fromEntries([...rules.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])),
  );
  const pairs: [text: string, ground: string, least: number][] = [
    ...["text", "quiet", "accent", "bad"].map((text): [string, string, number] => [text, "card", 4.5]),
    ["accent", "ground", 4.5],
    ["on-accent", "accent", 4.5],
    ["bad", "bad-ground", 4.5],
    ["text", "good-ground", 4.5],
    ["accent", "good-ground", 4.5],
    ["edge", "card", 3],
  ];
  for (const [i, scheme] of schemes.entries())
    for (const [text, ground, least] of pairs)
      test(`${text} on ${ground} in the ${i === 0 ? "light" : "dark"} scheme`, () => {
        expect(contrast(scheme[text] ?? "", scheme[ground] ?? "")).toBeGreaterThanOrEqual(least);
      });
  test("in both schemes", () => expect(schemes).toHaveLength(2));
});
