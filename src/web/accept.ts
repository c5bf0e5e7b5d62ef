/** Returns how specifically a media range matches a type, or undefined if it does not (RFC 9110, 12.5.1). */
function fit(range: string, type: string): number | undefined {
  if (range === type) return 2;
  if (range === `${type.slice(0, type.indexOf("/"))}/*`) return 1;
  return range === "*/*" ? 0 : undefined;
}

interface Range {
  readonly name: string;
  /** From 0 (not acceptable) to 1. */
  readonly quality: number;
}

const rangesIn = (header: string): Range[] =>
  header.split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { name, quality: Number(quality) || 0 };
  });

/**
 * Returns the offered media type that `Accept` prefers: the highest quality, then the most specific match, then the
 * first offered. Without the header, returns the first; undefined if none is acceptable.
 */
export function preferred<Type extends string>(header: string | null, offers: readonly Type[]): Type | undefined {
  const ranges = rangesIn(header ?? "*/*");
  const wanted = offers.flatMap((type) => {
    const named = ranges.flatMap(({ name, quality }) => {
      const fits = fit(name, type);
      return fits === undefined ? [] : [{ type, quality, fits }];
    });
    const [best] = named.toSorted((a, b) => b.fits - a.fits);
    return best && best.quality > 0 ? [best] : [];
  });
  return wanted.toSorted((a, b) => b.quality - a.quality || b.fits - a.fits)[0]?.type;
}
