/** Tables of words that are embedded as their text. */

declare module "*.tsv" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
