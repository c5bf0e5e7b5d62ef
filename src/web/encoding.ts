/** Encodings in which assets are stored. Browsers understand both; brotli is smaller. */
export type Encoding = "br" | "gzip";

/** Returns the smallest encoding that `Accept-Encoding` allows (RFC 9110, 12.5.3), or `identity` if neither. */
export function bestEncoding(header: string | null): Encoding | "identity" {
  const allowed = (header ?? "").split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  if (allowed.includes("br")) return "br";
  return allowed.includes("gzip") || allowed.includes("*") ? "gzip" : "identity";
}
