/**
 * The console's access to the browser's clock, randomness, storage and timers, in one place like the server's runtime.
 */

const program = document.querySelector<HTMLMetaElement>("meta[name=program]");

/** The installation's base path, without a trailing slash. */
export const installedAt: string = program?.content ?? "";

/** The nonce for the page's own `<style>` elements. */
export const styleNonce: string = program?.nonce ?? "";

/** The browser's time, in milliseconds since 1970. */
export const now = (): number => Date.now();

/** Returns the calendar day (UTC) that many days ago, as `2026-11-22`. */
export const daysAgo = (days: number): string => new Date(now() - days * 86_400_000).toISOString().slice(0, 10);

/**
 * Returns a new idempotency key. `crypto.randomUUID` is missing on pages served over plain HTTP from another machine.
 */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls `work` every `ms` milliseconds. The returned function stops it. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

/** Resolves after that many milliseconds. */
export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Storage that lasts in this browser, or in this tab until it is closed. */
const storages = { browser: () => localStorage, tab: () => sessionStorage };

/** Returns a stored value; null if there is none or the browser refuses access. */
export function kept(name: string, where: keyof typeof storages = "browser"): string | null {
  try {
    return storages[where]().getItem(`assay_${name}`);
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. */
export function keep(name: string, value: string | null, where: keyof typeof storages = "browser"): void {
  try {
    if (value === null) storages[where]().removeItem(`assay_${name}`);
    else storages[where]().setItem(`assay_${name}`, value);
  } catch {
    // The browser refuses to store it, so the value lasts for this page only.
  }
}
