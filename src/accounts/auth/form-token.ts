import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { isFromElsewhere, readCookie, setCookie } from "../../web/cookies.ts";

/** Anti-CSRF tokens for forms: a form must have been shown in this browser and, with `session_id`, in this session. */
export interface FormTokens {
  /** Returns the form's hidden value, and sets the cookie that it belongs to. */
  issue(request: Request, session_id?: string): string;
  /**
   * Returns whether a form with this value was shown in this browser, and the request does not come from another site.
   */
  isOwn(request: Request, given: string, session_id?: string): boolean;
}

/** Maximum time that a page may stay open, in seconds. */
const lifetime = 12 * 60 * 60;
const form = /^[A-Za-z0-9]{32}$/;

/**
 * Creates form tokens, which prevent another site from signing its visitors in to someone else's account. Another site
 * can read neither the cookie nor the form that holds its hash, and with TLS no sibling host can set the cookie
 * (`__Host-`, RFC 6265bis, 4.1.3.2).
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
      // Reused if present, because several tabs may show forms at once.
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
