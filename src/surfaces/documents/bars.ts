import { html, type Markup } from "../../accounts/pages/html.ts";
import type { Block } from "../../products/documents/document.ts";

/** Bar charts as SVG without styles or scripts. They use the page's text colour, with each value next to its bar. */

const width = 640;
const tall = 30;
/** Space to the right of the longest bar, for its value. */
const right = 90;
/** Maximum number of characters shown of a label, and the width of a character. */
const longestLabel = 44;
const wide = 7.2;

const shortened = (label: string): string =>
  label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;

/** Renders a bar chart with its caption. Bars are proportional to their values; the longest fills the width. */
export function barsPlot({ caption, bars }: Extract<Block, { kind: "bars" }>): Markup {
  const most = Math.max(...bars.map(({ value }) => value), 0) || 1;
  const longest = Math.max(...bars.map(({ label }) => shortened(label).length), 0);
  // The bars start to the right of the longest label.
  const left = Math.round(longest * wide) + 20;
  const height = bars.length * tall + 6;
  const marks = bars.map(({ label, value, shown }, i) => {
    const long = (value / most) * (width - left - right);
    const middle = i * tall + tall / 2 + 5;
    return html`<text x="${left - 10}" y="${middle}" text-anchor="end">${shortened(label)}</text>
<rect x="${left}" y="${i * tall + 4}" width="${long.toFixed(1)}" height="${tall - 8}" fill-opacity="0.55"><title>${label}: ${shown}</title></rect>
<text x="${(left + long + 8).toFixed(1)}" y="${middle}">${shown}</text>`;
  });
  return html`<figure><figcaption>${caption}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${caption}: ${bars.map(({ label, shown }) => `${label} ${shown}`).join(", ")}" width="100%" font-family="inherit" font-size="13" fill="currentColor">
<line x1="${left}" y1="0" x2="${left}" y2="${height}" stroke="currentColor"/>
${marks}
</svg></figure>`;
}
