import { html, type Markup } from "../../accounts/pages/html.ts";
import type { Block } from "../../products/documents/document.ts";

/** Bars as SVG without styles or scripts: they take the page's colour, and each value stands beside its bar. */

const width = 640;
const tall = 30;
/** The room behind the longest bar for its value. */
const right = 90;
/** The characters of a label that are shown, and the width of one. */
const longestLabel = 44;
const wide = 7.2;

const shortened = (label: string): string =>
  label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;

/** A plot with its caption; the bars are as long as their values, the longest of them fills the room. */
export function barsPlot({ caption, bars }: Extract<Block, { kind: "bars" }>): Markup {
  const most = Math.max(...bars.map(({ value }) => value), 0) || 1;
  const longest = Math.max(...bars.map(({ label }) => shortened(label).length), 0);
  // Where the bars begin: behind the longest label.
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
