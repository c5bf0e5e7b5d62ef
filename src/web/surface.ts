/** The header that says where a run was started. The command line and the console send it; everything else is REST. */
export const surfaceHeader = "x-assay-surface";
const declared = ["cli", "web"] as const;

/** Returns the surface that the request declares. Any other value is REST. */
export function surfaceOf(request: Request): "rest" | (typeof declared)[number] {
  const given = request.headers.get(surfaceHeader);
  return declared.find((surface) => surface === given) ?? "rest";
}
