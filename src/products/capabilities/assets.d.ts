/** Embedded data: at build time, Bun turns YAML into the value that it describes. */

declare module "*.yaml" {
  const value: unknown;
  export default value;
}
