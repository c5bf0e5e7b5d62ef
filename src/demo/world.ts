import type { Role } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import { type Creation, operator } from "../accounts/admin/audit-context.ts";
import { grantCredits } from "../accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../accounts/admin/firms.ts";
import { createApiKey, revokeKey } from "../accounts/admin/keys.ts";
import { entitle, switchGate } from "../accounts/admin/permissions.ts";
import { createUser, roles, setOperator } from "../accounts/admin/users.ts";
import { createPasswords, type Passwords } from "../accounts/auth/passwords.ts";
import { createPersonalConnection } from "../accounts/oauth/manage.ts";
import { grantableScopes, type Scope, scopesOf } from "../contracts/scopes.ts";
import { day } from "../platform/clock.ts";
import { randomBase62 } from "../platform/ids.ts";
import type { Runtime } from "../platform/runtime.ts";
import { useCases } from "../products/use-cases/manifests.ts";
import { platformGate } from "../registry/registry.ts";
import type { DemoOptions } from "./index.ts";

/** A firm as listed in the credentials file. */
export interface DemoFirm {
  readonly id: string;
  readonly name: string;
  readonly workspaces: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly {
    readonly id: string;
    readonly email: string;
    readonly password: string;
    readonly role: Role;
  }[];
  readonly keys: {
    readonly all: string;
    readonly docs_only: string;
    readonly by_scope: Readonly<Partial<Record<Scope, string>>>;
    readonly expired: string;
    readonly revoked: string;
  };
  /** The owner's personal connection: a URL for MCP clients. */
  readonly connection_url: string;
  /** Ids of things to try; null for what this release does not create. */
  readonly seeded: Readonly<Record<string, string | null>>;
}

export interface DemoWorld {
  readonly operator: { readonly email: string; readonly password: string };
  readonly firms: readonly DemoFirm[];
}

interface FirmPlan {
  readonly name: string;
  readonly domain: string;
  readonly workspaces: readonly [string, string];
  readonly entitlements: readonly string[];
  readonly credits: number;
}

/** Fictitious firms. The first has all entitlements; the second is small and has none. */
const plans: readonly FirmPlan[] = [
  {
    name: "Demo Alpha Insurance Brokers",
    domain: "alpha.example",
    workspaces: ["Advice quality", "New markets"],
    entitlements: ["verified_workspace", "distribution:read", "market-intelligence:read", "enterprise", "partner-tool"],
    credits: 100_000,
  },
  {
    name: "Demo Beta Advisers",
    domain: "beta.example",
    workspaces: ["Main", "Trials"],
    entitlements: [],
    credits: 600,
  },
];

const operatorEmail = "operator@assay.example";

interface Person {
  readonly role: Role;
  readonly email: string;
  readonly password: string;
  readonly password_hash: string;
}

/** Returns a firm's people. They share a password: hashing several would slow the start, and none is secret. */
async function peopleOf(runtime: Runtime, { hash }: Passwords, domain: string): Promise<Person[]> {
  const password = `demo-${randomBase62(runtime, 16)}`;
  const password_hash = await hash(password);
  return roles.map((role) => ({ role, email: `${role}@${domain}`, password, password_hash }));
}

async function makeKeys(
  tx: Db,
  act: Creation,
  firm_id: string,
  workspace_id: string,
  user_id: string,
  held: readonly string[],
) {
  const allowed = scopesOf("owner", held);
  const holder = { firm_id, workspace_id, user_id };
  /** Creates a key for tests of its permissions, which is not shown to people. */
  const make = async (name: string, scopes: readonly Scope[], expires_at: number | null = null) =>
    createApiKey(tx, act, { ...holder, name, scopes, expires_at, purpose: "test" });
  const by_scope: Partial<Record<Scope, string>> = {};
  for (const scope of grantableScopes.filter((scope) => allowed.has(scope)))
    by_scope[scope] = (await make(`Only ${scope}`, [scope])).secret;
  const revoked = await make("Revoked", ["runs:read"]);
  await revokeKey(tx, act, firm_id, revoked.key.id);
  const all = await createApiKey(tx, act, { ...holder, name: "Back office", scopes: [...allowed], expires_at: null });
  return {
    key_id: all.key.id,
    keys: {
      all: all.secret,
      docs_only: (await make("Documentation only", ["docs:read"])).secret,
      by_scope,
      expired: (await make("Expired", ["runs:read"], act.at - 1)).secret,
      revoked: revoked.secret,
    },
  };
}

async function makeFirm(
  tx: Db,
  act: Creation,
  baseUrl: string,
  plan: FirmPlan,
  people: readonly Person[],
): Promise<DemoFirm> {
  const firm = await createFirm(tx, act, { name: plan.name });
  for (const name of plan.entitlements) await entitle(tx, act, firm.id, name);
  const [first, second] = [
    await createWorkspace(tx, act, firm.id, { name: plan.workspaces[0] }),
    await createWorkspace(tx, act, firm.id, { name: plan.workspaces[1] }),
  ];
  const users = [];
  for (const { role, email, password, password_hash } of people) {
    const full_name = `Demo ${role[0]?.toUpperCase()}${role.slice(1)}`;
    const user = await createUser(tx, act, { firm_id: firm.id, email, role, full_name, country: "CZ", password_hash });
    users.push({ id: user.id, email, password, role });
  }
  await grantCredits(tx, act, { firm_id: firm.id, credits: plan.credits, reason: "demo" });
  const owner = { firm_id: firm.id, workspace_id: first.id, user_id: users[0]?.id ?? "" };
  const { url } = await createPersonalConnection(tx, act, baseUrl, { ...owner, name: "Demo" });
  const { keys, key_id } = await makeKeys(tx, act, firm.id, first.id, users[0]?.id ?? "", plan.entitlements);
  return {
    id: firm.id,
    name: firm.name,
    workspaces: [first, second].map(({ id, name }) => ({ id, name })),
    users,
    keys,
    connection_url: url,
    seeded: { run_id: null, job_id: null, configuration_id: null, simulation_id: null, audience_id: null, key_id },
  };
}

/** Creates the installation's operator, who can sign in like any other person. */
async function makeOperator(tx: Db, act: Creation, password_hash: string): Promise<void> {
  const firm = await createFirm(tx, act, { name: "Demo Operations" });
  await createWorkspace(tx, act, firm.id, { name: "Main" });
  const full_name = "Demo Operator";
  const given = { firm_id: firm.id, email: operatorEmail, role: "owner", full_name, password_hash } as const;
  await setOperator(tx, act, await createUser(tx, act, given), true);
}

/** Creates firms, people, keys and credits, and opens all gates but the commercial one. */
export async function createWorld({ store, services, capabilities, baseUrl }: DemoOptions): Promise<DemoWorld> {
  const { runtime } = services;
  const passwords = createPasswords(runtime);
  const password = `demo-${randomBase62(runtime, 16)}`;
  const password_hash = await passwords.hash(password);
  const people = await Promise.all(plans.map((plan) => peopleOf(runtime, passwords, plan.domain)));
  const act: Creation = { actor: operator, at: runtime.now() - 31 * day, runtime };
  const firms = await store.write(async (tx) => {
    const gates = [
      platformGate,
      ...capabilities.map((capability) => capability.slug),
      ...useCases.filter((useCase) => useCase.status !== "validation_required").map((useCase) => useCase.slug),
    ];
    for (const gate of gates) await switchGate(tx, act, gate, true);
    const made: DemoFirm[] = [];
    for (const [i, plan] of plans.entries()) made.push(await makeFirm(tx, act, baseUrl, plan, people[i] ?? []));
    await makeOperator(tx, act, password_hash);
    return made;
  });
  return { operator: { email: operatorEmail, password }, firms };
}
