/** Data that is embedded: Bun turns YAML into the value it describes, at build time. */

declare module "*.yaml" {
  const value: unknown;
  export default value;
}
