// The first that is found: most browsers name others too, to be served what those are.
const browsers = ["Edg/", "OPR/", "Firefox/", "Chrome/", "Safari/"] as const;
const systems = ["iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux"] as const;

const names: Readonly<Record<string, string>> = {
  "Edg/": "Edge",
  "OPR/": "Opera",
  "Mac OS X": "macOS",
  CrOS: "ChromeOS",
};
const named = (found: string): string => names[found] ?? found.replace("/", "");

/** A browser by its name and system, as "Firefox · Windows"; what is no browser by what it calls itself. */
export function deviceOf(userAgent: string): string {
  if (!userAgent.startsWith("Mozilla/")) return userAgent;
  const found = [browsers, systems].flatMap((all) => all.find((part) => userAgent.includes(part)) ?? []);
  return found.length === 0 ? userAgent : found.map(named).join(" · ");
}
