import { once } from "./once.ts";

/** All that it does takes its time. */
type Service<T> = { readonly [Name in keyof T]: (...args: never[]) => Promise<unknown> };

/**
 * A service whose code is loaded at the first call of one of its methods: a start does not wait for what few requests
 * want, and a server that nobody asks for it never holds it.
 */
export function later<T extends Service<T>>(load: () => Promise<T>): T {
  const loaded = once(load);
  const names = new Map<PropertyKey, (...args: unknown[]) => Promise<unknown>>();
  return new Proxy(Object.create(null), {
    get(_, name) {
      // Whoever awaits the service itself means to pass it on: only what is a promise has a `then`.
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
