import { present } from "../../platform/assert.ts";

/** Where what is linked in the pages of `docs/` is served: by the path as it stands there. */
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
 * A page of `docs/` as one that is served: without its title, its links leading to the served pages. Decisions are read
 * beside the code alone: what names one is not a link here. Throws for a link to any other file that is not served.
 */
export const repositoryText = (text: string): string =>
  text
    .replace(/^# .*\n+/, "")
    .replace(/\[([^[\]]+)\]\(decisions\/[^()]+\)/g, "$1")
    .replace(/\]\((?!https?:|#)([^()]+)\)/g, (_, path: string) => `](${present(served[path], `a page for ${path}`)})`);
