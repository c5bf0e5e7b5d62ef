import { useState } from "react";
import { keep, kept } from "./browser.ts";
import { useMe } from "./session.ts";

/** One person's unsent form input, by form. */
interface Drafts {
  readonly user_id: string;
  readonly forms: Readonly<Record<string, object>>;
}

/** Returns the person's drafts. Those of another person are ignored, and overwritten by the next draft. */
function formsOf(user_id: string): Drafts["forms"] {
  const drafts: Drafts | null = JSON.parse(kept("drafts", "tab") ?? "null");
  return drafts?.user_id === user_id ? drafts.forms : {};
}

function keepForm(user_id: string, name: string, form: object | null): void {
  const { [name]: _, ...others } = formsOf(user_id);
  const forms = form === null ? others : { ...others, [name]: form };
  keep("drafts", JSON.stringify({ user_id, forms } satisfies Drafts), "tab");
}

/** Returns a form's state that survives navigation and reloads, in this tab and for this person only. */
export function useDraft<Form extends object>(name: string, empty: Form) {
  const { id } = useMe().user;
  const [form, setForm] = useState<Form>(() => ({ ...empty, ...formsOf(id)[name] }));
  return {
    form,
    change(next: Form): void {
      setForm(next);
      keepForm(id, name, next);
    },
    /** Removes the draft after the form was sent, so that the next visit starts empty. */
    forget: () => keepForm(id, name, null),
  };
}
