import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { ownerBytes } from "../../db/packed-columns.ts";
import { prepared } from "../../db/prepared.ts";
import type { Db } from "../../db/store.ts";
import { owners, unscoped } from "../../db/tenancy.ts";
import { World } from "../support/harness.ts";

const world = await World.open();
const firm = await world.firm();
const { id: run_id } = await world.settled(firm);
const [workspace_id] = firm.workspaces;
afterAll(() => world[Symbol.asyncDispose]());

interface Query {
  readonly what: string;
  readonly ask: (db: Db) => { execute(): Promise<unknown> } | Promise<unknown>;
  /** The table for which the query omits the tenant. */
  readonly table?: string;
}

const carryOut = async ({ ask }: Query, db: Db = world.store.read): Promise<unknown> => {
  const asked = ask(db);
  return "execute" in asked ? asked.execute() : asked;
};

const runById = prepared<{ id: string }>((db, value) =>
  db.selectFrom("runs").select("id").where("id", "=", value("id")),
);

const forgetful: readonly Query[] = [
  {
    what: "a row by its id only",
    table: "runs",
    ask: (db) => db.selectFrom("runs").selectAll().where("id", "=", run_id),
  },
  { what: "a prepared query", table: "runs", ask: async (db) => runById.first(db, { id: run_id }) },
  { what: "a whole table", table: "api_keys", ask: (db) => db.selectFrom("api_keys").selectAll() },
  {
    what: "a table under another name",
    table: "entitlements",
    ask: (db) => db.selectFrom("entitlements as e").select("e.name"),
  },
  { what: "a count", table: "transfers", ask: (db) => db.selectFrom("transfers").select(db.fn.countAll().as("n")) },
  {
    what: "a tenant that is only excluded",
    table: "runs",
    ask: (db) => db.selectFrom("runs").select("id").where("firm_id", "!=", firm.id),
  },
  {
    what: "a tenant compared with itself",
    table: "runs",
    ask: (db) => db.selectFrom("runs").select("id").whereRef("runs.firm_id", "=", "runs.firm_id"),
  },
  {
    what: "a tenant in one branch of an or",
    table: "runs",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where((eb) => eb.or([eb("firm_id", "=", firm.id), eb("id", "=", run_id)])),
  },
  {
    what: "a negated tenant",
    table: "runs",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where((eb) => eb.not(eb("firm_id", "=", firm.id))),
  },
  {
    what: "a join to another table without its tenant",
    table: "runs",
    ask: (db) => db.selectFrom("runs as r").innerJoin("firms as f", "f.id", "r.firm_id").select("r.id"),
  },
  {
    what: "a join on another column",
    table: "runs",
    ask: (db) =>
      db
        .selectFrom("workspace_runs as w")
        .innerJoin("runs as r", "r.seq", "w.seq")
        .select("r.id")
        .where("w.workspace_id", "=", ownerBytes(workspace_id)),
  },
  {
    what: "a left join whose condition does not restrict the left side",
    table: "workspaces",
    ask: (db) =>
      db
        .selectFrom("workspaces as w")
        .leftJoin("runs as r", (join) => join.on("w.firm_id", "=", firm.id).on("r.firm_id", "=", firm.id))
        .select("w.id"),
  },
  {
    what: "a subquery",
    table: "api_keys",
    ask: (db) =>
      db
        .selectFrom("workspaces")
        .select("id")
        .where("firm_id", "=", firm.id)
        .where((eb) => eb.exists(eb.selectFrom("api_keys").select("id").where("name", "=", "all"))),
  },
  {
    what: "a tenant from a global table",
    table: "runs",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where("firm_id", "in", (eb) => eb.selectFrom("gates").select("name")),
  },
  {
    what: "a common table expression",
    table: "runs",
    ask: (db) =>
      db
        .with("all_runs", (q) => q.selectFrom("runs").select("id"))
        .selectFrom("all_runs")
        .select("id"),
  },
  {
    what: "a union",
    table: "runs",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where("firm_id", "=", firm.id)
        .union((eb) => eb.selectFrom("runs").select("id")),
  },
  {
    what: "an update",
    table: "saved_configurations",
    ask: (db) => db.updateTable("saved_configurations").set({ last_run_at: 1 }).where("id", "=", run_id),
  },
  { what: "a deletion", table: "members", ask: (db) => db.deleteFrom("members").where("role", "=", "member") },
  {
    what: "rows copied by an insertion",
    table: "entitlements",
    ask: (db) =>
      db
        .insertInto("entitlements")
        .columns(["firm_id", "name", "granted_at"])
        .expression((eb) => eb.selectFrom("entitlements").select(["firm_id", "name", "granted_at"])),
  },
  { what: "raw SQL", table: "runs", ask: (db) => sql`select id from runs where id = ${run_id}`.execute(db) },
  {
    what: "raw SQL with a table",
    table: "runs",
    ask: (db) => sql`select id from ${sql.table("runs")}`.execute(db),
  },
  {
    what: "raw SQL in a query",
    table: "api_keys",
    ask: (db) =>
      db
        .selectFrom("workspaces")
        .select(sql<string>`(select max(name) from api_keys)`.as("name"))
        .where("firm_id", "=", firm.id),
  },
  {
    what: "every person's sessions",
    table: "sessions",
    ask: (db) => db.updateTable("sessions").set({ revoked_at: 1 }),
  },
];

const mindful: readonly Query[] = [
  { what: "a tenant", ask: (db) => db.selectFrom("runs").select("id").where("firm_id", "=", firm.id) },
  {
    what: "some workspaces",
    ask: (db) => db.selectFrom("runs").select("id").where("workspace_id", "in", [workspace_id]),
  },
  {
    what: "a tenant in each branch of an or",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where((eb) =>
          eb.or([eb("firm_id", "=", firm.id), eb.and([eb("id", "=", run_id), eb("workspace_id", "=", workspace_id)])]),
        ),
  },
  {
    what: "a join on the tenant, in any order",
    ask: (db) =>
      db
        .selectFrom("runs as r")
        .innerJoin("workspaces as w", (join) =>
          join.onRef("w.firm_id", "=", "r.firm_id").onRef("w.id", "=", "r.workspace_id"),
        )
        .innerJoin("firms as f", "f.id", "w.firm_id")
        .select(["r.id", "w.name", "f.name as firm"])
        .where("f.id", "=", firm.id),
  },
  {
    what: "workspaces from a subquery with the tenant",
    ask: (db) =>
      db
        .selectFrom("runs")
        .select("id")
        .where("workspace_id", "in", (eb) => eb.selectFrom("workspaces").select("id").where("firm_id", "=", firm.id)),
  },
  {
    what: "a subquery that takes its tenant from the outer query",
    ask: (db) =>
      db
        .selectFrom("workspaces as w")
        .select("w.id")
        .where("w.firm_id", "=", firm.id)
        .where((eb) => eb.exists(eb.selectFrom("runs as r").select("r.id").whereRef("r.firm_id", "=", "w.firm_id"))),
  },
  { what: "a global table", ask: (db) => db.selectFrom("gates").selectAll() },
  { what: "raw SQL on a global table", ask: (db) => sql`select count(*) from gates`.execute(db) },
];

describe("a query without its tenant is refused before it reaches the database", () => {
  for (const query of forgetful)
    test(query.what, async () => {
      await expect(carryOut(query)).rejects.toThrow(`A query on ${query.table} must name its`);
      await expect(world.store.write((tx) => carryOut(query, tx))).rejects.toThrow("must name its");
    });

  test("and nothing of it was executed", async () => {
    expect((await world.run(firm, run_id)).id).toBe(run_id);
    expect((await world.ask("/v1/runs", { as: world.tokenOf(firm.people.member.id) })).status).toBe(200);
  });
});

describe("a query with its tenant is executed", () => {
  for (const query of mindful) test(query.what, async () => expect(carryOut(query)).resolves.toBeDefined());
});

test("unscoped queries are marked as such, and see every tenant", async () => {
  const other = await world.firm();
  const rows = await unscoped(world.store.read).selectFrom("workspaces").select("firm_id").execute();
  expect(new Set(rows.map((row) => row.firm_id))).toEqual(new Set([firm.id, other.id]));
  const inside = world.store.read
    .selectFrom("workspaces")
    .select("id")
    .where("firm_id", "in", unscoped(world.store.read).selectFrom("api_keys").select("firm_id"));
  await expect(inside.execute()).rejects.toThrow("A query on workspaces must name its firm_id");
});

test("a prepared query without its tenant is refused even on an unscoped database", () => {
  const late = prepared<object>((db) => db.selectFrom("runs").select("id"));
  expect(() => late.all(unscoped(world.store.read), {})).toThrow("A query on runs must name its");
  expect(() => late.all(world.store.read, {})).toThrow("A query on runs must name its");
});

test("every table is classified as a tenant's or global, and those with a tenant column as a tenant's", async () => {
  const tables = await unscoped(world.store.read).introspection.getTables();
  expect(tables.map((table) => table.name).sort()).toEqual(Object.keys(owners).sort());
  for (const { name, columns } of tables) {
    const tenant = columns.map((column) => column.name).filter((column) => /^(firm|workspace|user)_id$/.test(column));
    const bound: readonly string[] = owners[name as keyof typeof owners] ?? [];
    if (tenant.length > 0)
      expect({ name, bound }).toEqual({ name, bound: expect.arrayContaining([expect.any(String)]) });
  }
});

test("only code that acts for no tenant is unscoped", () => {
  const root = join(import.meta.dir, "..", "..", "src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const asking = files.filter((file) => readFileSync(join(root, file), "utf8").includes("unscoped("));
  expect(asking.filter((file) => !file.startsWith("cli/")).sort()).toEqual([
    "accounts/admin/connectors.ts",
    "accounts/auth/external-people.ts",
    "accounts/oauth/clients.ts",
    "accounts/oauth/codes.ts",
    "accounts/oauth/connections.ts",
    "accounts/oauth/manage.ts",
    "accounts/oauth/tokens.ts",
    "accounts/operator/audit.ts",
    "accounts/operator/connectors.ts",
    "accounts/operator/firms.ts",
    "execution/audit-check.ts",
    "execution/leases.ts",
    "identity/principal.ts",
    "jobs/kind.ts",
    "products/architect/decide.ts",
    "products/architect/retention.ts",
    "products/catalogue/service.ts",
    "products/connectors/source.ts",
    "products/validator/conductor.ts",
    "products/validator/import.ts",
    "products/validator/kind.ts",
    "runs/kind.ts",
    "surfaces/metrics/figures.ts",
  ]);
  expect(asking.filter((file) => file.endsWith("routes.ts"))).toEqual([]);
});
