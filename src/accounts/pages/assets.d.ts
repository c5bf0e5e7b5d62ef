/** Files that are embedded as text. */

declare module "*/pages.js" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}
