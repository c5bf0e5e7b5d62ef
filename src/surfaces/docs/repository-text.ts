import { present } from "../../platform/assert.ts";

/** The served page for each link target in `docs/`, by the path as written there. */
const served: Readonly<Record<string, string>> = {
  "settings.md": "settings",
  "upgrading.md": "upgrading",
  "operating.md": "deployment",
  "engines.md": "engines",
  "obligations.md": "obligations",
  "glossary.md": "glossary",
  "mcp.md": "mcp",
  "../CHANGELOG.md": "changelog",
  "docs/upgrading.md": "upgrading",
  "docs/operating.md": "deployment",
  "docs/settings.md": "settings",
  "deploy/Caddyfile": "reverse-proxies#caddy",
  "deploy/nginx.conf": "reverse-proxies#nginx",
  "deploy/litestream.yml": "deployment#litestream-yml",
};

/**
 * Converts a page of `docs/` for serving: removes its title and points its links to the served pages. Links to
 * decisions become plain text, because decisions are published only with the code. Throws for a link to any other file
 * that is not served.
 */
export const repositoryText = (text: string): string =>
  text
    .replace(/^# .*\n+/, "")
    .replace(/\[([^[\]]+)\]\(decisions\/[^()]+\)/g, "$1")
    .replace(/\]\((?!https?:|#)([^()]+)\)/g, (_, path: string) => `](${present(served[path], `a page for ${path}`)})`);
