/**
 * Endpoints of the specification that this release does not serve. The list only gets shorter: a test fails while
 * anything in it is served, so whoever builds one takes it off here.
 */
export const notServed: readonly string[] = [];
