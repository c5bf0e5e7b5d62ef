/** Embedded files, imported as their text or as the path where the running program finds them. */

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const path: string;
  export default path;
}

declare module "*/Caddyfile" {
  const text: string;
  export default text;
}

declare module "*.conf" {
  const text: string;
  export default text;
}

declare module "*.yml" {
  const text: string;
  export default text;
}

declare module "*/assets/docs.js" {
  const text: string;
  export default text;
}

declare module "*/assets/api.js" {
  const text: string;
  export default text;
}
