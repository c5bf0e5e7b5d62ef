const addresses = new WeakMap<Request, () => string>();

/** Told by the edge, which has the socket; asked for only where it matters, since the look-up costs. */
export const tellClientAddress = (request: Request, address: () => string): void =>
  void addresses.set(request, address);

/** The address at the other end of the socket; empty where there is none (a request made in a test). */
export const clientAddress = (request: Request): string => addresses.get(request)?.() ?? "";

/** A request made in place of another comes from the same address. */
export const passOnClientAddress = (from: Request, to: Request): void =>
  tellClientAddress(to, () => clientAddress(from));
