import { createValue } from "./signal.ts";

/** The person, and their firm, to whom a page was shown; `firm_id` is null if it is not known. */
interface ShownTo {
  readonly user_id: string;
  readonly firm_id: string | null;
}

/**
 * Tabs share one session, but may show pages of different people. Every request names the person that its page was
 * shown to, and the server refuses it if another person has signed in since: no form reaches the wrong firm.
 */
const shownTo = createValue<ShownTo | null>(null);
const tabs = new BroadcastChannel("assay_shown_to");

/** Sets the person to whom this page is shown. Later requests name them, and other tabs are notified at once. */
export function isShownTo(person: ShownTo): void {
  const isNew = shownTo.get()?.user_id !== person.user_id;
  shownTo.set(person);
  if (isNew) tabs.postMessage(null);
}

/** Adds the person to a request's headers. */
export function mark({ headers }: Request): void {
  const person = shownTo.get();
  if (person === null) return;
  headers.set("x-assay-user", person.user_id);
  if (person.firm_id !== null) headers.set("x-assay-firm", person.firm_id);
}

/** Whether an error's detail reports that another person is signed in, or that the firm has changed. */
export const isOfAnother = ({ path }: { readonly path: string }): boolean =>
  path === "/header/x-assay-user" || path === "/header/x-assay-firm";

/** Calls `look` when the session may have changed: another tab shows a page, or this one becomes visible again. */
export function onMaybeAnother(look: () => void): void {
  tabs.addEventListener("message", look);
  window.addEventListener("focus", look);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
}
