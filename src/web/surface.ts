/** Where a run was started from. The command line and the console say so; everything else is REST. */
export const surfaceHeader = "x-assay-surface";
const declared = ["cli", "web"] as const;

/** What the run says it was started from. Any other value is REST. */
export function surfaceOf(request: Request): "rest" | (typeof declared)[number] {
  const given = request.headers.get(surfaceHeader);
  return declared.find((surface) => surface === given) ?? "rest";
}
