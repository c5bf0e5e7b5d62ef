// In order of precedence: most browsers name others too, for compatibility.
const browsers = ["Edg/", "OPR/", "Firefox/", "Chrome/", "Safari/"] as const;
const systems = ["iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux"] as const;

const names: Readonly<Record<string, string>> = {
  "Edg/": "Edge",
  "OPR/": "Opera",
  "Mac OS X": "macOS",
  CrOS: "ChromeOS",
};
const named = (found: string): string => names[found] ?? found.replace("/", "");

/**
 * Returns a browser's name and system, such as "Firefox · Windows", or the User-Agent itself if it is not a browser's.
 */
export function deviceOf(userAgent: string): string {
  if (!userAgent.startsWith("Mozilla/")) return userAgent;
  const found = [browsers, systems].flatMap((all) => all.find((part) => userAgent.includes(part)) ?? []);
  return found.length === 0 ? userAgent : found.map(named).join(" · ");
}
