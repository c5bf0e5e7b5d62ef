/** Longer ones are refused unread: the whole address, and the part before a query. */
const longest = 4_096;
const longestPath = 1_024;
/** Control characters and blanks, which parsers drop, and backslashes, which they take for slashes. */
const misleading = /[\p{Cc}\s\\]/u;
/** A slash or backslash in disguise: a server after us may decode it. */
const disguised = /%(2f|5c)/i;
/** A path of our own, or a whole address. */
const form = /^(\/(?!\/)|https?:\/\/)/i;

export interface Redirects {
  /** The address to send a browser to, written out; undefined when it is none that we may send anybody to. */
  allowed(given: string): string | undefined;
  /** An allowed address from a page of ours: of this installation without the host, which the browser may call otherwise. */
  fromHere(allowed: string): string;
}

/** Whether the address is one that the entry allows: itself, or anything below an entry that ends in a slash. */
function covers(entry: URL, target: URL): boolean {
  if (entry.origin !== target.origin) return false;
  return entry.pathname.endsWith("/") ? target.pathname.startsWith(entry.pathname) : target.pathname === entry.pathname;
}

/**
 * Where a sign-in may lead: this installation, and what the operator allows besides. An open redirect would lend our
 * name, and here a one-time code too, to anyone. Sign-in pages and `authorize` ask it.
 */
export function createRedirects(baseUrl: string, allow: readonly string[]): Redirects {
  const own = new URL(`${baseUrl}/`);
  const entries = [own, ...allow.map((entry) => new URL(entry))];
  return {
    allowed(given) {
      if (given.length > longest || misleading.test(given) || !form.test(given)) return undefined;
      // In a query they are what they should be: an address that is handed on.
      const [path = ""] = given.split("?", 1);
      if (path.length > longestPath || disguised.test(path)) return undefined;
      const target = URL.parse(given, own.href);
      if (target?.username !== "" || target.password !== "") return undefined;
      // Without its host, as pages of ours lead on to it, such a path would name another one.
      if (target.pathname.startsWith("//")) return undefined;
      return entries.some((entry) => covers(entry, target)) ? target.href : undefined;
    },
    fromHere: (allowed) => (URL.parse(allowed)?.origin === own.origin ? allowed.slice(own.origin.length) : allowed),
  };
}
