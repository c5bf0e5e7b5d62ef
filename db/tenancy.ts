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
 * The columns by which a table's rows belong to somebody: a query on it has to name one of them, or it would reach over
 * the boundary of a tenant. Rows of people are reached by the person, or by a secret or an identity that is theirs; rows
 * of a run or an account by that alone, which has been asked for within its tenant before. Null: the installation's own.
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

/** Queries, whole or inside others, that `unscoped` has let through. */
const hosts = new WeakSet<OperationNode>();

type Query = SelectQueryNode | UpdateQueryNode | DeleteQueryNode;
const isQuery = (node: OperationNode): node is Query =>
  SelectQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node);

const isNode = (value: unknown): value is OperationNode =>
  typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

/** Visits what a node consists of: values as they came with the query are no part of it. */
function walkInside(node: OperationNode, bound: ReadonlySet<string>): void {
  if (ValueNode.is(node) || IdentifierNode.is(node)) return;
  for (const part of Object.values(node))
    if (Array.isArray(part)) {
      for (const item of part) if (isNode(item)) walk(item, bound);
    } else if (isNode(part)) walk(part, bound);
}

/** What a query reads from or writes to, by the name that its columns are referred to with. */
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

/** A condition that every row satisfies; `about` one source alone, where the join keeps the other side's rows anyway. */
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

/** Whether a query's rows are somebody's: then so is what is compared with them. */
const isOwned = (node: OperationNode): boolean =>
  SelectQueryNode.is(node) &&
  !hosts.has(node) &&
  sourcesOf(node).some((source) => source.owners || isOwned(source.node));

/** A value, values, or a column of something that is bound already. */
function isGiven(node: OperationNode, bound: ReadonlySet<string>): boolean {
  if (ValueNode.is(node) || PrimitiveValueListNode.is(node)) return true;
  if (ValueListNode.is(node)) return node.values.every((value) => isGiven(value, bound));
  if (ParensNode.is(node)) return isGiven(node.node, bound);
  if (ReferenceNode.is(node)) return node.table !== undefined && bound.has(node.table.table.identifier.name);
  return isOwned(node);
}

/** Whether the condition holds a source to its owner: by each branch of an `or`, by any of an `and`. */
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

/** SQL as text is not understood: what reads or writes a tenant's table goes through the builder, or is the host's. */
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
  throw new Error(`A query on ${table} must name its ${ownersOf(table)?.join(" or ")}, or be the host's (unscoped).`);
}

const untouched: Pick<KyselyPlugin, "transformResult"> = { transformResult: async ({ result }) => result };

/** Refuses, before it reaches the database, a query that reaches over a tenant's boundary. A mistake of ours: a throw. */
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
 * The same database without the guard: calling this says that the query is meant for all tenants, or that whose it
 * is has yet to be found out. Never for what a caller asked for.
 */
export function unscoped(db: Db): SystemDb {
  if (isHost(db)) return db;
  const known = hostOf.get(db);
  if (known) return known;
  const host: SystemDb = Object.assign(db.withoutPlugins().withPlugin(letThrough), { [hostMark]: db });
  hostOf.set(db, host);
  return host;
}

/** The database with the guard, for any holder: prepared queries are compiled on it. */
export const guarded = (db: Db): Db => (isHost(db) ? db[hostMark] : db);
