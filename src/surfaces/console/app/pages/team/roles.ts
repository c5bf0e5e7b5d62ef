import type { Schemas } from "../../shared/api.ts";
import { useMe } from "../../shared/session.ts";

export type Role = Schemas["TeamMember"]["role"];
const roles: readonly Role[] = ["owner", "admin", "approver", "member"];

/** Returns the roles as options of a select. */
export const roleChoices = (say: (role: Role) => string): { readonly value: Role; readonly label: string }[] =>
  roles.map((value) => ({ value, label: say(value) }));

/** Parses the value of a select of roles. */
export const roleIn = (value: string | null): Role | undefined => roles.find((role) => role === value);

/** Whether the person may change the team: owners may. The server enforces the same rule. */
export const useMayChange = (): boolean => useMe().role === "owner";
