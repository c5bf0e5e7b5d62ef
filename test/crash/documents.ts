import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { minute } from "../../src/platform/clock.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { browserAt } from "../support/browser-at.ts";
import { carriersFacts, type ShownImport, send } from "../support/documents-world.ts";
import { Installation } from "../support/operator.ts";
import type { Browser } from "../support/operator-browser.ts";

/**
 * Real SIGKILLs of a server while it receives and imports documents. CRASH_DOCUMENT_KILLS sets the number of kills
 * (10), CRASH_SEED repeats their timing.
 */

setDefaultTimeout(10 * minute);

const kills = Number(process.env.CRASH_DOCUMENT_KILLS ?? 10);
const seed = process.env.CRASH_SEED ?? crypto.randomUUID();
/** Latest moment of a kill, in ms after the first file was sent. */
const loadedAtMost = 1_500;
/** Clauses per file: extracting and storing its passages takes about half a second. */
const clauses = 2_000;

const textOf = (name: string): string =>
  Array.from({ length: clauses }, (_, i) => `## Article ${i + 1} Cover\n\nDamage ${i + 1} of ${name} is covered.`).join(
    "\n\n",
  );

/** Sends one file after another until the server dies; calls `accepted` with each import that it accepted. */
async function sendUntilGone(browser: Browser, round: number, accepted: (id: string) => void): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `document-${round}-${i}`;
    const answer = await send(browser, `${name}.md`, textOf(name), { ...carriersFacts, key: name }).catch(
      () => undefined,
    );
    const text = await answer?.text().catch(() => undefined);
    if (!answer || text === undefined) return;
    expect([202, 429]).toContain(answer.status);
    if (answer.status === 202) accepted((JSON.parse(text) as ShownImport).id);
  }
}

/** Checks that live documents are complete: as many passages as their rows state, without gaps. */
function expectWhole(file: string): void {
  const database = new Database(file, { readonly: true });
  const live = database
    .query<{ chunks: number; held: number; last: number }, []>(
      `select d.chunks, count(c.id) as held, max(c.ordinal) + 1 as last
       from documents d left join chunks c on c.document_id = d.id where d.state = 'live' group by d.id`,
    )
    .all();
  database.close();
  for (const { chunks, held, last } of live) expect([held, last]).toEqual([chunks, chunks]);
}

test(`every accepted file is imported in full, over ${kills} kills (seed ${seed})`, async () => {
  await using it = new Installation();
  const made = await it.init();
  const random = seededRandom(seed);
  const accepted: string[] = [];
  let link = made.password_link;
  for (let round = 0; round < kills; round++) {
    const server = await it.serve();
    const browser = await browserAt(server.url, made.owner.email, link);
    link = null;
    const sending = sendUntilGone(browser, round, (id) => accepted.push(id));
    await Bun.sleep(random() * loadedAtMost);
    await server.end("SIGKILL");
    await sending;
    expectWhole(it.database);
  }
  const server = await it.serve();
  const browser = await browserAt(server.url, made.owner.email, null);
  for (const id of accepted) {
    let shown: ShownImport;
    do shown = (await (await browser.ask(`/v1/operator/document-imports/${id}?wait=60`)).json()) as ShownImport;
    while (shown.status === "waiting" || shown.status === "importing");
    // After a kill between the commits of the document and of its import, the document already exists.
    expect(shown.status).toBeOneOf(["imported", "unchanged"]);
    expect(shown.chunks).toBeGreaterThan(0);
  }
  expect(accepted.length).toBeGreaterThan(0);
  expectWhole(it.database);
  expect(await server.end()).toBe(0);
  const uploads = join(it.data, "uploads");
  expect(existsSync(uploads) ? readdirSync(uploads) : []).toEqual([]);
  expect((await it.run("doctor")).out).toContain("0 refused, 0 unfinished");
  expect((await it.run("verify")).code).toBe(0);
  console.info(`${accepted.length} files were accepted`);
});
