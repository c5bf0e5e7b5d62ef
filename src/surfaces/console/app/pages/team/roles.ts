import type { Schemas } from "../../shared/api.ts";
import { useMe } from "../../shared/session.ts";

export type Role = Schemas["TeamMember"]["role"];
const roles: readonly Role[] = ["owner", "admin", "approver", "member"];

/** What a select offers, each by its name. */
export const roleChoices = (say: (role: Role) => string): { readonly value: Role; readonly label: string }[] =>
  roles.map((value) => ({ value, label: say(value) }));

/** The role that a select gave. */
export const roleIn = (value: string | null): Role | undefined => roles.find((role) => role === value);

/** Whether the person may change who is in the firm; the server holds to the same. */
export const useMayChange = (): boolean => useMe().role === "owner";
