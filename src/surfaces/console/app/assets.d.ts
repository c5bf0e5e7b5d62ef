/** Style sheets are bundled; importing one yields no value. */
declare module "*.css";
