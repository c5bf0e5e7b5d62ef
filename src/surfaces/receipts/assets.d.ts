/** The script, as its text. */
declare module "*/assets/check.js" {
  const text: string;
  export default text;
}
