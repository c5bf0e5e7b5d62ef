/** How files are kept; each tells a browser as much as the other, brotli in fewer bytes. */
export type Encoding = "br" | "gzip";

/** The smallest form that `Accept-Encoding` allows (RFC 9110, 12.5.3); `identity` where it names neither. */
export function bestEncoding(header: string | null): Encoding | "identity" {
  const allowed = (header ?? "").split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  if (allowed.includes("br")) return "br";
  return allowed.includes("gzip") || allowed.includes("*") ? "gzip" : "identity";
}
