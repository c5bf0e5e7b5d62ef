/** Word tables, embedded as text. */

declare module "*.tsv" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

/** Files embedded as they are, by the path at which they are found. */
declare module "*.zst" {
  const path: string;
  export default path;
}

declare module "*.wasm" {
  const path: string;
  export default path;
}

declare module "*.meaning" {
  const path: string;
  export default path;
}
