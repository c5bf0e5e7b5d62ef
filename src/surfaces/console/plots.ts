import { html, type Markup } from "../../accounts/pages/html.ts";

/** Plots as SVG without styles or scripts: they take the page's colour, and every figure stands in the text as well. */

const width = 640;
const height = 220;
const margin = { left: 48, right: 12, top: 14, bottom: 40 } as const;
const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom } as const;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const at = (value: number): string => value.toFixed(1);

const frame = (
  label: string,
  content: readonly Markup[],
  below: string,
): Markup => html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" width="100%" font-family="inherit" font-size="12" fill="currentColor">
<line x1="${margin.left}" y1="${height - margin.bottom}" x2="${width - margin.right}" y2="${height - margin.bottom}" stroke="currentColor"/>
${content}
<text x="${margin.left + inner.width / 2}" y="${height - 4}" text-anchor="middle">${below}</text>
</svg>`;

/** The answers by the eleven points of the scale: a bar each, with its count. */
export function answersPlot(counts: readonly number[], label: string, axis: string): Markup {
  const most = Math.max(1, ...counts);
  const step = inner.width / counts.length;
  const bars = counts.map((count, point) => {
    const tall = (count / most) * (inner.height - 14);
    const x = margin.left + point * step;
    const base = height - margin.bottom;
    return html`<rect x="${at(x + 4)}" y="${at(base - tall)}" width="${at(step - 8)}" height="${at(tall)}" fill-opacity="0.6"/>
<text x="${at(x + step / 2)}" y="${at(base + 16)}" text-anchor="middle">${point}</text>
${count > 0 && html`<text x="${at(x + step / 2)}" y="${at(base - tall - 4)}" text-anchor="middle">${count}</text>`}`;
  });
  return frame(label, bars, axis);
}

/** The share that buys over rising prices: a line with its points, prices below and shares beside them. */
export function ladderPlot(
  ladder: readonly { readonly price: number; readonly intent: number }[],
  label: string,
  axis: string,
): Markup {
  const most = Math.max(0.01, ...ladder.map(({ intent }) => intent));
  const highest = Math.max(1, ...ladder.map(({ price }) => price));
  const points = ladder.map(({ price, intent }) => ({
    price,
    intent,
    x: margin.left + (price / highest) * (inner.width - 30),
    y: height - margin.bottom - (intent / most) * (inner.height - 18),
  }));
  const line = points.map(({ x, y }) => `${at(x)},${at(y)}`).join(" ");
  const marks = points.map(
    ({ price, intent, x, y }) => html`<circle cx="${at(x)}" cy="${at(y)}" r="3.5"/>
<text x="${at(x)}" y="${at(y - 8)}" text-anchor="middle">${percent(intent)}</text>
<text x="${at(x)}" y="${height - margin.bottom + 16}" text-anchor="middle">${at(price)}</text>`,
  );
  return frame(
    label,
    [html`<polyline points="${line}" fill="none" stroke="currentColor" stroke-width="2"/>`, ...marks],
    axis,
  );
}
