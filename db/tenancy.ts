import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  DeleteQueryNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  ListNode,
  type OperationNode,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
  ValueNode,
} from "kysely";
import type { Tables } from "./schema/tables.ts";
import type { Db } from "./store.ts";

/**
 * The columns that identify the owner of a table's rows. A query must constrain one of them, or it would cross a tenant
 * boundary. Personal rows are reached by the person, or by their secret or identity; rows of a run or an account by
 * that id alone, because it was looked up within its tenant before. `null`: the table belongs to the installation.
 */
export const owners = {
  firms: ["id", "slug"],
  users: ["id", "email"],
  members: ["firm_id", "user_id"],
  workspaces: ["firm_id"],
  api_keys: ["firm_id"],
  entitlements: ["firm_id"],
  gates: null,
  quotas: ["firm_id"],
  versions: null,
  signing_keys: null,
  balances: ["account"],
  transfers: ["firm_id"],
  firm_transfers: ["firm_id"],
  workspace_transfers: ["owner_id"],
  watermarks: null,
  idempotency: ["firm_id"],
  runs: ["firm_id", "workspace_id"],
  workspace_runs: ["workspace_id"],
  capability_runs: ["workspace_id"],
  use_case_runs: ["workspace_id"],
  workspace_days: ["workspace_id"],
  receipts: ["run_seq"],
  step_results: ["run_seq"],
  step_keys: ["run_id"],
  run_days: ["firm_id", "workspace_id"],
  key_days: ["workspace_id"],
  tool_days: ["firm_id"],
  uses: ["firm_id"],
  quotes: null,
  saved_configurations: ["firm_id", "workspace_id"],
  snapshots: ["actor_id"],
  effects: ["firm_id", "actor_id", "id"],
  checkpoints: ["actor_id"],
  audit: ["firm_id"],
  operator_claims: null,
  sessions: ["user_id", "id"],
  refresh_tokens: ["session_id", "hash"],
  known_origins: ["user_id"],
  one_time_tokens: ["user_id", "hash"],
  invitations: ["firm_id", "hash"],
  mail_outbox: null,
  external_identities: ["user_id", "subject"],
  oauth_clients: null,
  connections: ["firm_id", "user_id"],
  connection_tokens: ["connection_id", "hash"],
  oauth_codes: ["user_id", "hash"],
  documents: null,
  document_imports: null,
  chunks: null,
  jobs: ["firm_id"],
  monthly_limits: ["firm_id"],
  connectors: ["firm_id"],
  dataset_tables: null,
  dataset_versions: null,
  audiences: ["firm_id"],
  validations: ["firm_id"],
  validation_personas: ["validation_id"],
  solutions: ["firm_id"],
  solution_texts: ["firm_id"],
} as const satisfies { readonly [T in keyof Tables]: readonly (keyof Tables[T] & string)[] | null };

const ownersOf = (table: string): readonly string[] | null =>
  Object.hasOwn(owners, table) ? owners[table as keyof typeof owners] : null;

/** Queries, whole or nested, that `unscoped` has exempted. */
const hosts = new WeakSet<OperationNode>();

type Query = SelectQueryNode | UpdateQueryNode | DeleteQueryNode;
const isQuery = (node: OperationNode): node is Query =>
  SelectQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node);

const isNode = (value: unknown): value is OperationNode =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

/** Walks the parts of a node. Values that came with the query are skipped. */
function walkInside(node: OperationNode, bound: ReadonlySet<string>): void {
  if (ValueNode.is(node) || IdentifierNode.is(node)) return;
  for (const part of Object.values(node))
    if (Array.isArray(part)) {
      for (const item of part) if (isNode(item)) walk(item, bound);
    } else if (isNode(part)) walk(part, bound);
}

/** A table that a query reads or writes, with the name by which its columns are referenced. */
interface Source {
  readonly name: string;
  readonly node: OperationNode;
  readonly owners: readonly string[] | null;
}

function sourceOf(node: OperationNode): Source {
  if (AliasNode.is(node)) {
    const { alias } = node;
    return { ...sourceOf(node.node), ...(IdentifierNode.is(alias) && { name: alias.name }) };
  }
  const name = TableNode.is(node) ? node.table.identifier.name : "";
  return { name, node, owners: ownersOf(name) };
}

function sourcesOf(query: Query): Source[] {
  const joined = (query.joins ?? []).map((join) => join.table);
  const own = SelectQueryNode.is(query)
    ? (query.from?.froms ?? [])
    : UpdateQueryNode.is(query)
      ? [query.table, ...(query.from?.froms ?? [])]
      : [...query.from.froms, ...(query.using?.tables ?? [])];
  const all = own.filter(isNode).flatMap((node) => (ListNode.is(node) ? [...node.items] : [node]));
  return [...all, ...joined].map(sourceOf);
}

/**
 * A condition that every result row satisfies. With `about`, it holds for that source only, because the join keeps the
 * other side's rows regardless.
 */
interface Condition {
  readonly node: OperationNode;
  readonly about?: string;
}

function conditionOf({ joinType, table, on }: JoinNode): Condition[] {
  if (!on) return [];
  if (joinType === "InnerJoin") return [{ node: on.on }];
  return joinType === "LeftJoin" ? [{ node: on.on, about: sourceOf(table).name }] : [];
}

const conditionsOf = (query: Query): Condition[] => [
  ...(query.where ? [{ node: query.where.where }] : []),
  ...(query.joins ?? []).flatMap(conditionOf),
];

/** Whether a query's rows belong to a tenant. A column compared with them is then constrained too. */
const isOwned = (node: OperationNode): boolean =>
  SelectQueryNode.is(node) &&
  !hosts.has(node) &&
  sourcesOf(node).some((source) => source.owners || isOwned(source.node));

/** Whether a node is a value, a list of values, or a column of an already constrained source. */
function isGiven(node: OperationNode, bound: ReadonlySet<string>): boolean {
  if (ValueNode.is(node) || PrimitiveValueListNode.is(node)) return true;
  if (ValueListNode.is(node)) return node.values.every((value) => isGiven(value, bound));
  if (ParensNode.is(node)) return isGiven(node.node, bound);
  if (ReferenceNode.is(node)) return node.table !== undefined && bound.has(node.table.table.identifier.name);
  return isOwned(node);
}

/** Whether the condition constrains a source to its owner: every branch of an `or` must, and any one of an `and`. */
function binds(node: OperationNode, source: Source, bound: ReadonlySet<string>): boolean {
  if (ParensNode.is(node)) return binds(node.node, source, bound);
  if (AndNode.is(node)) return binds(node.left, source, bound) || binds(node.right, source, bound);
  if (OrNode.is(node)) return binds(node.left, source, bound) && binds(node.right, source, bound);
  if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator)) return false;
  const { operator, leftOperand, rightOperand } = node;
  const owns = (side: OperationNode): boolean =>
    ReferenceNode.is(side) &&
    !SelectAllNode.is(side.column) &&
    (side.table === undefined || side.table.table.identifier.name === source.name) &&
    (source.owners?.includes(side.column.column.name) ?? false);
  if (operator.operator === "in") return owns(leftOperand) && isGiven(rightOperand, bound);
  if (operator.operator !== "=") return false;
  return (owns(leftOperand) && isGiven(rightOperand, bound)) || (owns(rightOperand) && isGiven(leftOperand, bound));
}

function check(query: Query, outer: ReadonlySet<string>): void {
  const sources = sourcesOf(query);
  const bound = new Set([...outer].filter((name) => !sources.some((source) => source.name === name)));
  for (const { name, node } of sources) if (isOwned(node)) bound.add(name);
  const conditions = conditionsOf(query);
  let free = sources.filter((source) => source.owners !== null);
  for (;;) {
    const found = free.filter((source) =>
      conditions.some(({ node, about = source.name }) => about === source.name && binds(node, source, bound)),
    );
    if (found.length === 0) break;
    for (const { name } of found) bound.add(name);
    free = free.filter((source) => !found.includes(source));
  }
  for (const source of free) refuse(sourceOf(source.node).name);
  walkInside(query, bound);
}

const reading = /\b(from|join|update|into)\b/i;
const words = /\w+/g;

/** Raw SQL is not parsed. Access to a tenant's table must use the query builder, or be the host's. */
function checkRaw({ sqlFragments, parameters }: RawNode): void {
  const text = sqlFragments.join(" ");
  const named = [...text.matchAll(words)].map(([word]) => word);
  const tables = parameters.filter(TableNode.is).map((table) => table.table.identifier.name);
  for (const name of [...tables, ...(reading.test(text) ? named : [])]) if (ownersOf(name)) refuse(name);
}

function walk(node: OperationNode, bound: ReadonlySet<string>): void {
  if (hosts.has(node)) return;
  if (isQuery(node)) {
    check(node, bound);
    return;
  }
  if (RawNode.is(node)) checkRaw(node);
  walkInside(node, bound);
}

function refuse(table: string): never {
  throw new Error(
    `A query on ${table} must name its ${ownersOf(table)?.join(" or ")}, or be exempted with unscoped().`,
  );
}

const untouched: Pick<KyselyPlugin, "transformResult"> = { transformResult: async ({ result }) => result };

/** Rejects a query that crosses a tenant boundary before it reaches the database. It throws, because it is a bug. */
export const tenancy: KyselyPlugin = {
  ...untouched,
  transformQuery({ node }) {
    walk(node, new Set());
    return node;
  },
};

const letThrough: KyselyPlugin = {
  ...untouched,
  transformQuery({ node }) {
    hosts.add(node);
    return node;
  },
};

const hostMark = Symbol("host");
/** A database for the host, which acts for no tenant: the worker, verification, statistics, the administrator. */
export type SystemDb = Db & { readonly [hostMark]: Db };
const isHost = (db: Db): db is SystemDb => hostMark in db;

const hostOf = new WeakMap<Db, SystemDb>();

/**
 * Returns the same database without the tenancy guard. Use it only if a query is meant for all tenants, or if the owner
 * is yet to be determined; never for a caller's request.
 */
export function unscoped(db: Db): SystemDb {
  if (isHost(db)) return db;
  const known = hostOf.get(db);
  if (known) return known;
  const host: SystemDb = Object.assign(db.withoutPlugins().withPlugin(letThrough), { [hostMark]: db });
  hostOf.set(db, host);
  return host;
}

/** Returns the database with the guard, whatever kind is given. Prepared queries are compiled on it. */
export const guarded = (db: Db): Db => (isHost(db) ? db[hostMark] : db);
