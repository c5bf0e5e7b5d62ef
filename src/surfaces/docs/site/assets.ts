import icon from "../../../accounts/pages/assets/icon.svg" with { type: "text" };
import tokens from "../../../accounts/pages/assets/tokens.css" with { type: "text" };
import { sha256Hex } from "../../../platform/ids.ts";
import apiScript from "../assets/api.js" with { type: "text" };
import style from "../assets/docs.css" with { type: "text" };
import script from "../assets/docs.js" with { type: "text" };

const css = "text/css; charset=utf-8";
const javascript = "text/javascript; charset=utf-8";

const assets = {
  "docs.css": { text: tokens + style, type: css },
  "docs.js": { text: script, type: javascript },
  "api.js": { text: apiScript, type: javascript },
  "icon.svg": { text: icon, type: "image/svg+xml" },
} as const;
/** The name of a file that the site's pages load. */
export type FileName = keyof typeof assets;
const isFileName = (name: string): name is FileName => Object.hasOwn(assets, name);

/** A digest of all files, used in their addresses so that each can be cached for a year. */
const edition = sha256Hex(
  Object.values(assets)
    .map(({ text }) => text)
    .join(""),
).slice(0, 12);

/** Returns a file's path below the installation's address. */
export const at = (name: FileName): string => `docs/assets/${edition}/${name}`;

/** Returns a file of the current edition; undefined for any other. */
export function assetOf(wanted: string, name: string): Response | undefined {
  if (!isFileName(name) || wanted !== edition) return undefined;
  return new Response(assets[name].text, {
    headers: {
      "content-type": assets[name].type,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    },
  });
}
