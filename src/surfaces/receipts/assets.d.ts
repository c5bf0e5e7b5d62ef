/** Embedded scripts, imported as text. */
declare module "*/assets/check.js" {
  const text: string;
  export default text;
}
