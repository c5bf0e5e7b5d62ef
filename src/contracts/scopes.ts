import type { Role } from "../../db/schema/tables.ts";

/** Every scope: what it allows its holder to do, whether it changes anything, and whether a person may grant it to a key. */
const catalogue = {
  "profile:read": ["Read your profile", "read", true],
  "workspaces:read": ["List your workspaces", "read", true],
  "company:analyze": ["Analyse companies' websites", "write", true],
  "jobs:read": ["Read jobs", "read", true],
  "validator:mcp:access": ["Use the validator's tools through a personal connection", "read", false],
  "validator:usage:report": ["Report a validation's usage, which costs credits", "write", true],
  "capabilities:run": ["Run capabilities, which can cost credits, and save configurations of them", "write", true],
  "use-cases:run": ["Run use cases, which can cost credits", "write", true],
  "runs:read": ["Read runs, their results and receipts", "read", true],
  "docs:read": ["Read the documentation and the catalogue over MCP", "read", true],
  "validator:read": ["Read audiences and validations", "read", true],
  "validator:run": ["Run validations, which costs credits, and create audiences", "write", true],
  "insurance:ask": ["Ask the insurance assistant", "read", true],
  "account:read": ["Read usage, credits and what the account may use", "read", true],
  "afa:validate": ["Check advice against the assurance rules", "read", true],
  "exa:validate": ["Check answers against their sources", "read", true],
  "eu-data:aggregate": ["Query EU market data", "read", true],
  "distribution:read": ["Query distribution intelligence", "read", true],
  "market-intelligence:read": ["Read market intelligence", "read", true],
} as const satisfies Record<string, readonly [string, "read" | "write", boolean]>;

export type Scope = keyof typeof catalogue;
export const scopes = Object.keys(catalogue) as Scope[];
/** Returns whether the catalogue has a scope of this name. */
export const isScope = (name: string): name is Scope => Object.hasOwn(catalogue, name);
/** Returns a scope as the documentation and the scope list show it. */
export const describeScope = (name: Scope) => {
  const [description, access, grantable] = catalogue[name];
  return { name, description, access, grantable };
};
export const grantableScopes = scopes.filter((name) => catalogue[name][2]);

/**
 * A caller needs one of these to have credits reserved. Validations started through their own tools and routes need
 * `validator:run` instead.
 */
export const runScopes = ["capabilities:run", "use-cases:run"] as const satisfies readonly Scope[];

/** Scopes that can be granted only in a firm with the entitlement of the same name. */
export const entitledScopes: readonly Scope[] = ["market-intelligence:read", "distribution:read"];

/**
 * Returns what a person with the role may do in a firm with these entitlements. Owner and admin: every grantable scope
 * that the firm is entitled to; member: the same without `validator:usage:report`; approver: those ending in `:read`.
 */
export function scopesOf(role: Role, entitlements: readonly string[]): ReadonlySet<Scope> {
  const held = grantableScopes.filter((scope) => !entitledScopes.includes(scope) || entitlements.includes(scope));
  if (role === "approver") return new Set(held.filter((scope) => scope.endsWith(":read")));
  return new Set(role === "member" ? held.filter((scope) => scope !== "validator:usage:report") : held);
}
