import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditPage } from "../../db/queries/audit.ts";
import { updateDocumentImport } from "../../db/queries/document-imports.ts";
import { type Lock, takeLock } from "../../db/sqlite/lock.ts";
import { unscoped } from "../../db/tenancy.ts";
import { present } from "../../src/platform/assert.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { docxBomb, encryptedPdf, lines, pdfOf, scannedPdf } from "../support/corpus-files.ts";
import { carriersFacts, DocumentPlace, imported, type ShownImport, send } from "../support/documents-world.ts";
import { errorIn, refusal, until, World } from "../support/harness.ts";
import { OperatorBrowser } from "../support/operator-browser.ts";

setDefaultTimeout(600_000);

const place = new DocumentPlace();
const options = { capabilities, useCases, stepEngines: {}, installation: place.installation };
const world = await World.open(undefined, options);
await world.openGates("insurance-assistant");
const firm = await world.firm();
const operator = await OperatorBrowser.open(world);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;
const staged = (): string[] => (existsSync(place.paths.uploads) ? readdirSync(place.paths.uploads) : []);
/** An import is reported as soon as its result is stored, and its file is deleted afterwards. */
const nothingStaged = () => until(() => staged().length === 0, "no file is left");
const readBack = (id: string) => operator.ask(`/v1/operator/document-imports/${id}`).then(json<ShownImport>);
interface Documents {
  readonly items: { readonly id: string; readonly title: string; readonly market: string }[];
  readonly next_cursor: string | null;
}
const documents = (query = "") => operator.ask(`/v1/operator/documents${query}`).then(json<Documents>);
const clause = (text: string): string => `# Household terms\n\n## Article 1 Cover\n\n${text}\n`;

describe("an uploaded document", () => {
  test("is imported, answers questions, and stops doing so once removed", async () => {
    const sentences = [
      "Household insurance terms",
      "Article 7 Mowers",
      "The insurance covers robotic lawn mowers stolen from a fenced garden.",
      "The limit for a robotic lawn mower is 18 000 CZK for each insured event.",
    ];
    const pdf = await pdfOf([lines(sentences)], "Household insurance terms");
    const report = await imported(operator, "mowers.pdf", pdf, { ...carriersFacts, language: "en" });
    expect(report).toMatchObject({ file: "mowers.pdf", status: "imported", reason: null, progress: null, pages: 1 });
    expect(report.chunks).toBeGreaterThan(0);
    await nothingStaged();
    const ask = () =>
      world
        .ask("/v1/insurance/ask", {
          as: firm.key,
          body: { question: "Are robotic lawn mowers covered?", country: "CZ" },
        })
        .then(json<{ answer: string; sources: { document_id: string }[] }>);
    expect((await ask()).answer).toContain("lawn mowers");
    expect((await documents("?market=CZ")).items).toMatchObject([{ id: report.document_id, pages: 1, format: "pdf" }]);
    expect((await documents("?market=DE")).items).toEqual([]);
    const to = `/v1/operator/documents/${report.document_id}`;
    expect((await operator.ask(to, { method: "DELETE" })).status).toBe(204);
    expect(await refusal(await operator.ask(to, { method: "DELETE" }))).toEqual([404, "not_found"]);
    expect((await ask()).sources).toEqual([]);
    const entries = (await auditPage(unscoped(world.store.read), 0, 10_000)).slice(-2);
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ["document.live", `user:${operator.id}`],
      ["document.removed", `user:${operator.id}`],
    ]);
  });

  test("is unchanged if uploaded again, and replaced by new content of its version", async () => {
    const first = await imported(operator, "terms.md", clause("Fire and water are covered."));
    const again = await imported(operator, "terms.md", clause("Fire and water are covered."));
    const other = await imported(operator, "terms.md", clause("Fire, water and wind are covered."));
    expect([first.status, again.status, other.status]).toEqual(["imported", "unchanged", "replaced"]);
    expect(again.document_id).toBe(first.document_id);
    const held = (await documents()).items.map(({ id }) => id);
    expect([held.includes(first.document_id ?? ""), held.includes(other.document_id ?? "")]).toEqual([false, true]);
    expect(other.notes).toEqual([]);
  });

  test("names the document that it replaces if two have the same title", async () => {
    const titled = (text: string) => `# Limits of cover\n\n${text}`;
    await imported(operator, "limits-2025.md", titled("Fire is covered up to 10,000."));
    const other = await imported(operator, "limits.md", titled("Fire is covered up to 20,000."));
    expect([other.status, other.notes]).toEqual(["replaced", [expect.stringContaining("replaces limits-2025.md")]]);
  });

  test("uses its front matter before the uploaded metadata", async () => {
    const front =
      "---\nmarket: DE\ncarrier: Blau\nproduct_line: travel\ndocument_type: ipid\nprovenance: carrier\n---\n";
    const report = await imported(operator, "own.md", `${front}# Reise\n\nVersichert ist die Reise.`, {
      language: "de",
    });
    expect(report.status).toBe("imported");
    expect((await documents("?market=DE")).items).toMatchObject([{ carrier: "Blau", document_type: "ipid" }]);
  });

  const unreadable: readonly [string, () => Promise<Uint8Array> | Uint8Array | string, string][] = [
    ["scanned.pdf", () => scannedPdf(4), "scanned"],
    ["locked.pdf", () => encryptedPdf(), "encrypted"],
    ["picture.pdf", () => "no PDF at all", "broken"],
    ["bomb.docx", () => docxBomb(200 * 2 ** 20), "too_large"],
    ["clauses.md", () => "## Article 1\n\nFire is covered.\n\n".repeat(12_001), "too_large"],
    ["nothing.txt", () => "", "empty"],
    ["aliases.md", () => `---\n${"x: y\n".repeat(5_000)}---\n\nText.`, "facts"],
  ];
  for (const [file, bytes, code] of unreadable)
    test(`is refused with a reason if it can't be read: ${file}`, async () => {
      const before = (await documents()).items.length;
      const report = await imported(operator, file, await bytes());
      expect([report.status, report.reason?.code, report.chunks]).toEqual(["refused", code, 0]);
      expect(report.reason?.message).not.toBe("");
      expect((await documents()).items).toHaveLength(before);
      await nothingStaged();
    });

  test("is refused if its metadata is missing", async () => {
    const report = await imported(operator, "unknown.txt", "Fire is covered.", { market: "CZ" });
    expect(report.reason).toEqual({
      code: "facts",
      message: "it lacks carrier, product_line, document_type, provenance",
    });
  });
});

describe("an invalid upload", () => {
  test("is refused before it is stored: another file type, a folder, metadata in another format", async () => {
    for (const [file, facts, path] of [
      ["virus.exe", {}, "/query/file"],
      ["../terms.pdf", {}, "/query/file"],
      ["terms.pdf", { market: "Czechia" }, "/query/market"],
      ["terms.pdf", { document_type: "novel" }, "/query/document_type"],
      ["terms.pdf", { colour: "blue" }, "/query/colour"],
    ] as const) {
      const answer = await send(operator, file, "text", facts);
      expect(answer.status).toBe(422);
      expect((await errorIn(answer)).details?.[0]?.path).toBe(path);
    }
    expect(staged()).toEqual([]);
  });

  test("over 32 MiB is refused, whether or not its length is stated, and deleted", async () => {
    const piece = new Uint8Array(2 ** 20).fill(32);
    let pieces = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces++;
        controller.enqueue(piece);
      },
    });
    expect(await refusal(await send(operator, "endless.txt", endless))).toEqual([413, "payload_too_large"]);
    expect(pieces).toBeLessThan(40);
    const stated = await send(operator, "long.txt", new Uint8Array(33 * 2 ** 20).fill(32));
    expect(await refusal(stated)).toEqual([413, "payload_too_large"]);
    expect(staged()).toEqual([]);
  });

  test("leaves nothing if its sender disconnects", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(100_000));
        controller.error(new Error("the line was cut"));
      },
    });
    expect(await refusal(await send(operator, "broken.txt", broken))).toEqual([422, "validation_error"]);
    expect(staged()).toEqual([]);
  });

  test("is not read if its sender may not import", async () => {
    let pieces = 0;
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pieces++;
            controller.enqueue(new Uint8Array(1000));
          },
        },
        { highWaterMark: 0 },
      );
    const query = new URLSearchParams({ file: "terms.txt", ...carriersFacts });
    for (const as of [undefined, firm.key, operator.token]) {
      const answer = await world.ask(`/v1/operator/documents?${query}`, { method: "POST", as, body: body() });
      expect(answer.status).toBe(401);
    }
    expect(pieces).toBe(0);
  });

  test("is refused by a process that does not import", async () => {
    await using apart = await World.open();
    const own = await OperatorBrowser.open(apart);
    expect(await refusal(await send(own, "terms.txt", "Fire is covered."))).toEqual([404, "not_found"]);
  });
});

describe("waiting files", () => {
  /** Blocks all imports once the current one has released the lock. */
  async function held(): Promise<Lock> {
    let lock: Lock | undefined;
    await until(() => {
      lock = takeLock(join(place.paths.folder, "import.lock"), 0);
      return lock !== undefined;
    }, "nothing is imported");
    await world.idle();
    return present(lock, "the lock");
  }

  test("wait while the command line imports, and are imported one after another", async () => {
    const lock = await held();
    const sent = await Promise.all(
      ["one", "two"].map((name) =>
        send(operator, `${name}.md`, clause(`Damage ${name} is covered.`), { ...carriersFacts, key: name }),
      ),
    );
    const ids = (await Promise.all(sent.map((answer) => json<ShownImport>(answer)))).map(({ id }) => id);
    expect(await Promise.all(ids.map(async (id) => (await readBack(id)).status))).toEqual(["waiting", "waiting"]);
    expect(staged().sort()).toEqual(ids.toSorted());
    lock.release();
    for (const id of ids) {
      const ended = await operator.ask(`/v1/operator/document-imports/${id}?wait=60`).then(json<ShownImport>);
      expect(ended.status).toBe("imported");
    }
    const list = await operator.ask("/v1/operator/document-imports?limit=1").then(json<{ items: { id: string }[] }>);
    expect(list.items).toMatchObject([{ id: ids.toSorted().at(-1) }]);
  });

  test("are imported by the next start after a crash, which deletes leftovers", async () => {
    const lock = await held();
    const { id } = await json<ShownImport>(
      await send(operator, "late.md", clause("Late damage is covered."), { ...carriersFacts, key: "late" }),
    );
    writeFileSync(join(place.paths.uploads, `${id}.half.new`), "half");
    const photograph = world.photograph();
    // The snapshotted process finishes the import and deletes the file, so the new process gets a copy of it.
    const upload = join(place.paths.uploads, id);
    const content = await Bun.file(upload).bytes();
    lock.release();
    await until(() => !existsSync(upload), "the first process is done");
    expect((await readBack(id)).status).toBe("imported");
    await Bun.write(upload, content);
    await using next = await world.restart(photograph);
    const browser = await OperatorBrowser.open(next);
    const ended = await browser.ask(`/v1/operator/document-imports/${id}?wait=60`).then(json<ShownImport>);
    expect(ended.status).toBe("imported");
    await nothingStaged();
  });

  test("are refused if their content is missing", async () => {
    const lock = await held();
    const { id } = await json<ShownImport>(await send(operator, "gone.md", clause("What is gone is covered.")));
    rmSync(join(place.paths.uploads, id));
    lock.release();
    const ended = await operator.ask(`/v1/operator/document-imports/${id}?wait=60`).then(json<ShownImport>);
    expect([ended.status, ended.reason?.code]).toEqual(["refused", "missing"]);
  });

  test("are abandoned after five crashes during their import", async () => {
    const lock = await held();
    const { id } = await json<ShownImport>(await send(operator, "poison.md", clause("Poison is covered.")));
    await until(() => world.app.parts.worker.load().active === 1, "this process waits for the lock");
    await world.store.write((tx) => updateDocumentImport(tx, id, { attempts: 5 }));
    await using next = await world.restart();
    const browser = await OperatorBrowser.open(next);
    const ended = await browser.ask(`/v1/operator/document-imports/${id}?wait=60`).then(json<ShownImport>);
    expect([ended.status, ended.reason?.code]).toEqual(["failed", "failed"]);
    await nothingStaged();
    lock.release();
    await until(async () => (await readBack(id)).status === "refused", "the process that was left has ended too");
  });
});
