/** Files that are embedded: their text, or the path under which the running program finds them. */

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const path: string;
  export default path;
}

declare module "*.png" {
  const path: string;
  export default path;
}

declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;
  export default path;
}

declare module "*/start.js" {
  const text: string;
  export default text;
}
