import { once } from "./once.ts";

/** A service whose methods are all asynchronous. */
type Service<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/**
 * Returns a proxy that loads a service's code at the first method call. Startup does not wait for rarely used code, and
 * a server that never uses it never loads it.
 */
export function later<T extends Service<T>>(load: () => Promise<T>): T {
  const loaded = once(load);
  const names = new Map<PropertyKey, (...args: unknown[]) => Promise<unknown>>();
  return new Proxy(Object.create(null), {
    get(_, name) {
      // Awaiting the proxy itself must return the proxy, and only promises have a `then`.
      if (name === "then") return undefined;
      const known = names.get(name);
      if (known) return known;
      const method = async (...args: unknown[]) => {
        const service = await loaded();
        return Reflect.apply(Reflect.get(service, name), service, args);
      };
      names.set(name, method);
      return method;
    },
  });
}
