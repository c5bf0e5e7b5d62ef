/** Maximum lengths of the whole address and of the part before the query. */
const longest = 4_096;
const longestPath = 1_024;
/** Control characters and spaces, which parsers drop, and backslashes, which they treat as slashes. */
const misleading = /[\p{Cc}\s\\]/u;
/** An encoded slash or backslash, which a later server may decode. */
const disguised = /%(2f|5c)/i;
/** A path on this installation, or an absolute URL. */
const form = /^(\/(?!\/)|https?:\/\/)/i;

export interface Redirects {
  /** Returns the absolute URL to redirect to, or undefined if it is not allowed. */
  allowed(given: string): string | undefined;
  /**
   * Returns an allowed URL as used on an own page: without the host if it is this installation's, because the browser
   * may know it by another name.
   */
  fromHere(allowed: string): string;
}

/** Returns whether an entry allows the URL: the entry itself, or anything below one that ends in a slash. */
function covers(entry: URL, target: URL): boolean {
  if (entry.origin !== target.origin) return false;
  return entry.pathname.endsWith("/") ? target.pathname.startsWith(entry.pathname) : target.pathname === entry.pathname;
}

/**
 * Creates the check of where a sign-in may redirect: to this installation, and to what the operator allows. An open
 * redirect would lend the installation's name, and a one-time code, to anyone. Used by the sign-in pages and
 * `authorize`.
 */
export function createRedirects(baseUrl: string, allow: readonly string[]): Redirects {
  const own = new URL(`${baseUrl}/`);
  const entries = [own, ...allow.map((entry) => new URL(entry))];
  return {
    allowed(given) {
      if (given.length > longest || misleading.test(given) || !form.test(given)) return undefined;
      // In the query they are legitimate, as part of a URL that is passed on.
      const [path = ""] = given.split("?", 1);
      if (path.length > longestPath || disguised.test(path)) return undefined;
      const target = URL.parse(given, own.href);
      if (target?.username !== "" || target.password !== "") return undefined;
      // Used without its host, such a path would name another host.
      if (target.pathname.startsWith("//")) return undefined;
      return entries.some((entry) => covers(entry, target)) ? target.href : undefined;
    },
    fromHere: (allowed) => (URL.parse(allowed)?.origin === own.origin ? allowed.slice(own.origin.length) : allowed),
  };
}
