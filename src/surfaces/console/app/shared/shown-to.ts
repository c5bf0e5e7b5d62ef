import { createValue } from "./signal.ts";

/** Whom a page was shown to, in which firm; null where that is not known. */
interface ShownTo {
  readonly user_id: string;
  readonly firm_id: string | null;
}

/**
 * Tabs share one session, and not what they show. Every request says whose page sends it, so that the server refuses it
 * when somebody else has signed in meanwhile: no form of one firm lands in another.
 */
const shownTo = createValue<ShownTo | null>(null);
const tabs = new BroadcastChannel("assay_shown_to");

/** Says whom this page is shown to from here on: to the server with each request, to the other tabs at once. */
export function isShownTo(person: ShownTo): void {
  const isNew = shownTo.get()?.user_id !== person.user_id;
  shownTo.set(person);
  if (isNew) tabs.postMessage(null);
}

/** Marks a request as one of this page's. */
export function mark({ headers }: Request): void {
  const person = shownTo.get();
  if (person === null) return;
  headers.set("x-assay-user", person.user_id);
  if (person.firm_id !== null) headers.set("x-assay-firm", person.firm_id);
}

/** Whether an error's detail says that somebody else is signed in, or that they are in another firm. */
export const isOfAnother = ({ path }: { readonly path: string }): boolean =>
  path === "/header/x-assay-user" || path === "/header/x-assay-firm";

/** Calls back when it may be somebody else's session: another tab shows a page, or this one is looked at again. */
export function onMaybeAnother(look: () => void): void {
  tabs.addEventListener("message", look);
  window.addEventListener("focus", look);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
}
