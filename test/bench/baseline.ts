#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { Elysia } from "elysia";

/**
 * The baseline used without `../shared/bench/limit.ts`: about the minimum for a durable run (idempotency row, run row,
 * reservation, settlement; WAL, `synchronous=FULL`, one commit per turn), without keys, validation or receipts.
 */

const database = new Database(process.env.DB ?? "baseline.db", { create: true, strict: true });
for (const pragma of ["journal_mode = wal", "synchronous = full", "wal_autocheckpoint = 1000"])
  database.run(`pragma ${pragma}`);
database.run("create table if not exists runs (id text primary key, status text, input text) without rowid, strict");
database.run("create table if not exists keys (key text primary key, run_id text) without rowid, strict");
database.run(
  "create table if not exists transfers (seq integer primary key, run_id text, kind text, amount integer) strict",
);

const claim = database.query("insert into keys values (?, ?) on conflict do nothing");
const insert = database.query("insert into runs values (?, 'queued', ?)");
const settle = database.query("update runs set status = 'succeeded' where id = ?");
const transfer = database.query("insert into transfers (run_id, kind, amount) values (?, ?, ?)");
const runById = database.query("select id, status from runs where id = ?");

let waiting: { readonly write: () => void; readonly done: () => void }[] = [];

function flush(): void {
  const group = waiting;
  waiting = [];
  database.run("begin immediate");
  for (const { write } of group) write();
  database.run("commit");
  for (const { done } of group) done();
}

const write = (work: () => void): Promise<void> =>
  new Promise((done) => {
    waiting.push({ write: work, done });
    if (waiting.length === 1) setImmediate(flush);
  });

async function finish(id: string): Promise<void> {
  await write(() => {
    settle.run(id);
    transfer.run(id, "settle", 350);
    transfer.run(id, "release", 150);
  });
}

new Elysia()
  .get("/health", () => ({ status: "ok" }))
  .post("/v1/capabilities/:slug/runs", async ({ body, headers, set }) => {
    const id = Bun.randomUUIDv7();
    await write(() => {
      claim.run(headers["idempotency-key"] ?? id, id);
      insert.run(id, JSON.stringify(body));
      transfer.run(id, "reserve", 500);
    });
    void finish(id);
    set.status = 202;
    return { id, status: "queued" };
  })
  .get("/v1/runs/:id", ({ params }) => runById.get(params.id))
  .listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" });
