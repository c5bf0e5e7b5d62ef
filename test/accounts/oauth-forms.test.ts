import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mintPersonalToken, personalTokenHash } from "../../src/accounts/oauth/personal-token.ts";
import { isRedirectUri, isRegisteredRedirect, withParameters } from "../../src/accounts/oauth/redirect-uri.ts";
import { sha256Hex } from "../../src/platform/ids.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

const host = fc.constantFrom("127.0.0.1", "localhost", "[::1]");
const path = fc.stringMatching(/^(\/[a-z0-9._~-]{1,8}){1,3}$/).filter((text) => !/\/\.{1,2}(\/|$)/.test(text));
const port = fc.integer({ min: 1, max: 65_535 });

describe("a redirect", () => {
  test("to loopback is the registered one with any port, and otherwise identical", () => {
    fc.assert(
      fc.property(host, path, port, port, host, path, (at, where, one, two, other, elsewhere) => {
        const registered = [`http://${at}:${one}${where}`];
        expect(isRegisteredRedirect(registered, `http://${at}:${two}${where}`)).toBeTrue();
        expect(isRegisteredRedirect(registered, `http://${other}:${two}${elsewhere}`)).toBe(
          other === at && elsewhere === where,
        );
        expect(isRegisteredRedirect(registered, `https://${at}:${two}${where}`)).toBeFalse();
      }),
    );
  });

  test("elsewhere is identical to the registered one", () => {
    const registered = ["https://app.example/back", "com.example.app://host/back"];
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom(...registered)), fc.string(), (given, more) => {
        for (const text of [given, given + more, `${registered[0]}${more}`])
          expect(isRegisteredRedirect(registered, text)).toBe(registered.includes(text));
      }),
    );
  });

  test("is never an address that a browser executes or reads locally, or one without TLS", () => {
    const scheme = fc.constantFrom(
      "javascript",
      "data",
      "file",
      "vbscript",
      "blob",
      "JavaScript",
      "ms-settings",
      "ftp",
      "search-ms",
      "itms-services",
      "market",
    );
    fc.assert(
      fc.property(scheme, fc.constantFrom(":", ":/", "://"), fc.webPath(), (name, sign, rest) => {
        expect(isRedirectUri(name + sign + rest)).toBeFalse();
      }),
    );
    fc.assert(
      fc.property(fc.domain(), fc.webPath(), (name, rest) => {
        expect(isRedirectUri(`http://${name}${rest}`)).toBeFalse();
      }),
    );
  });

  test("to a program's own scheme requires a dot in its name", () => {
    const bad = [
      "itms-services://x/y",
      "feed://x/y",
      "market://d/x",
      "ldap://x/y",
      ".app://h/c",
      "app.://h/c",
      "a..b://h/c",
    ];
    for (const uri of bad) expect([uri, isRedirectUri(uri)]).toEqual([uri, false]);
    for (const uri of ["com.example.app:/c", "com.example.app://h/c"])
      expect([uri, isRedirectUri(uri)]).toEqual([uri, true]);
  });

  test("appends its parameters to the existing ones, whatever they contain", () => {
    const uri = fc.constantFrom(
      "https://app.example/back",
      "https://app.example/back?tab=1",
      "com.example.app://host/back",
    );
    fc.assert(
      fc.property(uri, fc.string(), fc.string(), (redirect, code, state) => {
        const url = withParameters(redirect, { code, state, error: undefined });
        expect(url.startsWith(redirect)).toBeTrue();
        const said = new URL(url).searchParams;
        const own = redirect.includes("tab") ? 1 : 0;
        expect([said.get("code"), said.get("state"), said.has("error"), said.size]).toEqual([
          code,
          state,
          false,
          own + 2,
        ]);
      }),
    );
  });
});

test("a personal token with one wrong character is rejected without a lookup", () => {
  const { secret: token, hash } = mintPersonalToken(systemRuntime);
  expect([personalTokenHash(token), sha256Hex(token)]).toEqual([hash, hash]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: token.length - 1 }),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(personalTokenHash(changed)).toBe(changed === token ? hash : undefined);
      },
    ),
  );
});
