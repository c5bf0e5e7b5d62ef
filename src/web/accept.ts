/** How well a media range names a type; undefined where it does not (RFC 9110, 12.5.1). */
function fit(range: string, type: string): number | undefined {
  if (range === type) return 2;
  if (range === `${type.slice(0, type.indexOf("/"))}/*`) return 1;
  return range === "*/*" ? 0 : undefined;
}

interface Range {
  readonly name: string;
  /** From 0, which refuses, to 1. */
  readonly quality: number;
}

const rangesIn = (header: string): Range[] =>
  header.split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { name, quality: Number(quality) || 0 };
  });

/**
 * The media type that `Accept` wants most of those on offer, of equals the one that it names best, then the first. Without
 * the header it is the first; undefined where the header wants none of them.
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
