import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { isFromElsewhere, readCookie, setCookie } from "../../web/cookies.ts";

/** What vouches for a form of ours: that it was shown in this browser, and with `session_id` in this very session. */
export interface FormTokens {
  /** The form's hidden value; the browser that asked is given the cookie that it belongs to. */
  issue(request: Request, session_id?: string): string;
  /** Whether a form with this value comes from the browser that it was shown in, and from no other page that is told. */
  isOwn(request: Request, given: string, session_id?: string): boolean;
}

/** As long as a page may stay open, in seconds. */
const lifetime = 12 * 60 * 60;
const form = /^[A-Za-z0-9]{32}$/;

/**
 * A page elsewhere must not sign its visitors in as somebody else. It can neither read this cookie nor the form that
 * holds its hash; behind TLS no neighbouring host can set it (`__Host-`, RFC 6265bis, 4.1.3.2).
 */
export function createFormTokens(runtime: Runtime, baseUrl: string): FormTokens {
  const { origin, protocol } = new URL(baseUrl);
  const secure = protocol === "https:";
  const name = `${secure ? "__Host-" : ""}assay_form`;
  const known = (request: Request): string | undefined => {
    const value = readCookie(request, name);
    return value !== undefined && form.test(value) ? value : undefined;
  };
  const tokenOf = (value: string, session_id = ""): string => sha256Hex(`form ${session_id} ${value}`);
  return {
    issue(request, session_id) {
      // Kept where there is one: several tabs show forms at once.
      const value = known(request) ?? randomBase62(runtime, 32);
      setCookie(request, { name, value, path: "/", maxAge: lifetime, secure });
      return tokenOf(value, session_id);
    },
    isOwn(request, given, session_id) {
      const value = known(request);
      return value !== undefined && given === tokenOf(value, session_id) && !isFromElsewhere(request, origin);
    },
  };
}
