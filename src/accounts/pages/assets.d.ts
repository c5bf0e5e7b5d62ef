/** Files that are embedded as their text. */

declare module "*/pages.js" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}
