/**
 * Fields that a firm's site can be read for. The firm's own statements get label C, what its imprint must state by law
 * gets B.
 */
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

/** Fields that may contain a name, shown only to the enterprise tier. */
export const namedFindings: ReadonlySet<string> = new Set<Enrichable>([
  "website",
  "legal_name",
  "register_number",
  "products_services",
  "target_audience",
]);

/** Whether a field can be read from a site. */
export const isEnrichable = (field: string): field is Enrichable => enrichableFields.some((one) => one === field);
