/** Style sheets are bundled, and are no values. */
declare module "*.css";
