/** Tables of words that are embedded as their text. */

declare module "*.tsv" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

/** Files that are embedded as they are, by the path under which they are found. */
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
