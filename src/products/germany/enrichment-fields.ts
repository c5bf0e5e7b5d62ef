/** What a site can be asked for. A firm's own word is C, what its imprint must state by law is B. */
export const enrichableFields = [
  "website",
  "legal_name",
  "legal_form",
  "register_number",
  "products_services",
  "target_audience",
  "market",
  "languages",
] as const;
export type Enrichable = (typeof enrichableFields)[number];

/** What a name may stand in: shown to the enterprise tier alone. */
export const namedFindings: ReadonlySet<string> = new Set<Enrichable>([
  "website",
  "legal_name",
  "register_number",
  "products_services",
  "target_audience",
]);

/** Whether a site can be asked for it. */
export const isEnrichable = (field: string): field is Enrichable => enrichableFields.some((one) => one === field);
