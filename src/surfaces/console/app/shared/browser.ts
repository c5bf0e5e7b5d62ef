/**
 * What the console asks of the browser it runs in: the one place for its clock, chance, storage and waits, as the
 * server has its runtime.
 */

const program = document.querySelector<HTMLMetaElement>("meta[name=program]");

/** The installation's own path, without a slash at the end; what every address of ours begins with. */
export const installedAt: string = program?.content ?? "";

/** Allows this page's own `<style>` elements. */
export const styleNonce: string = program?.nonce ?? "";

/** Milliseconds since 1970, by the browser's clock. */
export const now = (): number => Date.now();

/** The calendar day (UTC) so many days ago, as `2026-11-22`. */
export const daysAgo = (days: number): string => new Date(now() - days * 86_400_000).toISOString().slice(0, 10);

/** A fresh idempotency key. `crypto.randomUUID` is missing where the page came over plain http from another machine. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls back every so many milliseconds until the returned function is called. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

/** Is done after so many milliseconds. */
export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What is kept: in this browser, or in this tab until it is closed. */
const storages = { browser: () => localStorage, tab: () => sessionStorage };

/** A choice that this browser keeps, where it keeps any: some refuse to. */
export function kept(name: string, where: keyof typeof storages = "browser"): string | null {
  try {
    return storages[where]().getItem(`assay_${name}`);
  } catch {
    return null;
  }
}

/** Keeps a choice; null forgets it. */
export function keep(name: string, value: string | null, where: keyof typeof storages = "browser"): void {
  try {
    if (value === null) storages[where]().removeItem(`assay_${name}`);
    else storages[where]().setItem(`assay_${name}`, value);
  } catch {
    // Then it is for this page only.
  }
}
