import { useState } from "react";
import { keep, kept } from "./browser.ts";
import { useMe } from "./session.ts";

/** What one person has typed and not sent, by form. */
interface Drafts {
  readonly user_id: string;
  readonly forms: Readonly<Record<string, object>>;
}

/** Of somebody else nothing is read, and the first draft that is kept replaces it. */
function formsOf(user_id: string): Drafts["forms"] {
  const drafts: Drafts | null = JSON.parse(kept("drafts", "tab") ?? "null");
  return drafts?.user_id === user_id ? drafts.forms : {};
}

function keepForm(user_id: string, name: string, form: object | null): void {
  const { [name]: _, ...others } = formsOf(user_id);
  const forms = form === null ? others : { ...others, [name]: form };
  keep("drafts", JSON.stringify({ user_id, forms } satisfies Drafts), "tab");
}

/** A form's state that leaving the page and loading it again don't empty: in this tab, and for who typed it alone. */
export function useDraft<Form extends object>(name: string, empty: Form) {
  const { id } = useMe().user;
  const [form, setForm] = useState<Form>(() => ({ ...empty, ...formsOf(id)[name] }));
  return {
    form,
    change(next: Form): void {
      setForm(next);
      keepForm(id, name, next);
    },
    /** Once it was sent: the next visit begins with an empty form. */
    forget: () => keepForm(id, name, null),
  };
}
