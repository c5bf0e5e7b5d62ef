import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chunksOf, liveChunks, liveChunksById } from "../../db/queries/chunks.ts";
import { corpusVersion, documentById, documentsIn, holdings, liveDocuments } from "../../db/queries/documents.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import type { Store } from "../../db/store.ts";
import { docxOf, encryptedPdf, lines, paragraph, pdfOf } from "../support/corpus-files.ts";
import { type Ended, Installation } from "../support/operator.ts";

setDefaultTimeout(600_000);

interface Report {
  readonly dry_run: boolean;
  readonly imported: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly documents: readonly {
    readonly file: string;
    readonly status: string;
    readonly document_id: string | null;
    readonly reason: { readonly code: string; readonly message: string } | null;
    readonly manifest: { readonly name: string; readonly line: number } | null;
    readonly notes: readonly string[];
  }[];
}

const facts = "market: CZ\ncarrier: Modrá\nproduct_line: household\ndocument_type: terms\nprovenance: carrier\n";
const markdown = (more: string, body: string): string => `---\n${facts}${more}---\n\n# Podmínky\n\n${body}\n`;
const clause = "Pojištění se nevztahuje na škody způsobené povodní, které nastaly v prvních deseti dnech.";

/** An installation with a folder of documents next to it. */
class Library extends Installation {
  readonly documents = join(this.folder, "documents");

  put(file: string, content: string | Uint8Array): void {
    const path = join(this.documents, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  import(...args: string[]): Promise<Ended> {
    return this.run("import", "insurance", this.documents, ...args);
  }

  /** Returns the import's report, including refusals. */
  async report(...args: string[]): Promise<Report & { readonly code: number }> {
    const { code, out, err } = await this.import("--json", ...args);
    if (out === "") throw new Error(err);
    return { ...(JSON.parse(out) as Report), code };
  }

  async reading<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = openStore(this.database);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
}

async function library(): Promise<Library> {
  const made = new Library();
  await made.init();
  return made;
}

describe("assay import insurance", () => {
  test("imports every format, refuses other files with a reason, and exits with 1", async () => {
    await using it = await library();
    const entry = (file: string) => `  - file: ${file}\n    title: Podmínky ${file}\n`;
    const files = [
      "a.pdf",
      "b.docx",
      "c.html",
      "d.txt",
      "sub/e.md",
      "locked.pdf",
      "empty.txt",
      "gone.pdf",
      "../out.md",
      "x.odt",
    ];
    const common = facts.replaceAll(/^/gm, "  ").trimEnd();
    it.put("manifest.yaml", `defaults:\n${common}\ndocuments:\n${files.map(entry).join("")}`);
    it.put(
      "a.pdf",
      await pdfOf([lines(["Article 1 Cover", "The insurance covers damage that is caused by fire or by water."])]),
    );
    it.put("b.docx", docxOf(paragraph(clause)));
    it.put("c.html", `<html lang="cs"><body><h1>Výluky</h1><p>${clause}</p></body></html>`);
    it.put("d.txt", clause);
    it.put("sub/e.md", clause);
    it.put("locked.pdf", await encryptedPdf());
    it.put("empty.txt", " \n\n ");
    it.put("x.odt", "PK");
    it.put("alone.md", "Nobody tells facts of this.");
    symlinkSync("/etc/hostname", join(it.documents, "link.txt"));
    const report = await it.report();
    expect(report.code).toBe(1);
    const told = report.documents.map(({ file, status, reason, manifest }) => [
      file,
      status,
      reason?.code ?? null,
      manifest?.line ?? null,
    ]);
    expect(told.sort()).toEqual([
      ["../out.md", "refused", "outside", 24],
      ["a.pdf", "imported", null, 8],
      ["alone.md", "refused", "facts", null],
      ["b.docx", "imported", null, 10],
      ["c.html", "imported", null, 12],
      ["d.txt", "imported", null, 14],
      ["empty.txt", "refused", "empty", 20],
      ["gone.pdf", "refused", "missing", 22],
      ["link.txt", "refused", "outside", null],
      ["locked.pdf", "refused", "encrypted", 18],
      ["sub/e.md", "imported", null, 16],
      ["x.odt", "refused", "unsupported", 26],
    ]);
    const { code, err, out } = await it.import();
    expect([code, out]).toEqual([1, "0 imported, 0 replaced, 5 unchanged, 7 refused; 0 passages\n"]);
    expect(err).toContain("locked.pdf (manifest.yaml, line 18): refused: it is encrypted");
    expect((await it.run("doctor")).out).toMatch(/warn +insurance documents: 5 live, 2 refused, 0 unfinished/);
  });

  test("a dry run reports the same and writes nothing", async () => {
    await using it = await library();
    it.put("a.md", markdown("version: 1\n", clause));
    it.put("b.md", "no facts");
    const rehearsed = await it.report("--dry-run");
    expect([rehearsed.dry_run, rehearsed.imported, rehearsed.refused, rehearsed.code]).toEqual([true, 1, 1, 1]);
    expect(await it.reading(({ read }) => documentsIn(read, ["live", "refused"]))).toEqual([]);
    const done = await it.report();
    expect([done.dry_run, done.imported, done.refused, done.code]).toEqual([false, 1, 1, 1]);
  });

  test("options supply facts missing in a file, and a law needs only its market", async () => {
    await using it = await library();
    it.put(
      "manifest.jsonl",
      '{"id":"a","lang":"cs","type":"terms","issuer":"Modrá","title":"A"}\n{"id":"b","lang":"cs","type":"law","title":"B"}\n',
    );
    it.put("a.md", clause);
    it.put("b.md", clause);
    const first = await it.report("--market", "cz");
    expect(first.documents.map(({ file, reason }) => [file, reason?.message ?? null])).toEqual([
      ["a.md", "it lacks product_line, provenance"],
      ["b.md", null],
    ]);
    const second = await it.report("--market", "cz", "--product-line", "Household", "--provenance", "carrier");
    expect([second.imported, second.unchanged, second.code]).toEqual([1, 1, 0]);
    const held = await it.reading(({ read }) => holdings(read));
    expect(
      held.map(({ carrier, document_type, provenance, product_line, documents }) => [
        carrier,
        document_type,
        provenance,
        product_line,
        documents,
      ]),
    ).toEqual([
      [null, null, "legal_note", null, 1],
      ["Modrá", "terms", "carrier", "household", 1],
    ]);
  });

  test("unknown facts are noted, in the manifest and at the top of a file, on every import", async () => {
    await using it = await library();
    it.put("manifest.yaml", "documents:\n  - file: a.md\n    valid_till: 2030-01-01\n");
    it.put("a.md", markdown("valid_form: 2030-01-01\n", clause));
    const notes = [
      "the manifest has an unknown fact, valid_till: check its spelling",
      "its front matter has an unknown fact, valid_form: check its spelling",
    ];
    for (const args of [["--dry-run"], [], []]) expect((await it.report(...args)).documents[0]?.notes).toEqual(notes);
  });

  test("an invalid manifest stops the import, with its line", async () => {
    await using it = await library();
    it.put("manifest.json", '[\n  {"file": "a.md"},\n  oops\n]');
    it.put("a.md", markdown("", clause));
    const { code, err } = await it.import();
    expect(code).toBe(1);
    expect(err).toContain("the manifest, line 3: it is not valid JSON");
    expect(await it.reading(({ read }) => liveDocuments(read))).toEqual([]);
  });

  test("two files of one import can't be the same version of the same document", async () => {
    await using it = await library();
    it.put("a.md", markdown("title: Podmínky\n", clause));
    it.put("b.md", markdown("title: podminky\n", `${clause} Jinak.`));
    const { documents } = await it.report();
    expect(documents.map(({ reason }) => reason?.message ?? null)).toEqual([
      null,
      "a.md is the same version of the same document",
    ]);
  });

  test("the starter documents are all importable, and marked", async () => {
    await using it = await library();
    const report = await it.json<Report>("import", "insurance", "--starter");
    expect([report.refused, report.documents.length]).toEqual([0, report.imported]);
    expect(report.imported).toBeGreaterThanOrEqual(25);
    const live = await it.reading(({ read }) => liveDocuments(read));
    const samples = live.filter(({ provenance }) => provenance === "sample");
    expect(samples.length).toBeGreaterThanOrEqual(15);
    for (const { id, title, carrier } of samples) {
      expect([title, title.includes("SYNTHETIC")]).toEqual([title, true]);
      expect(carrier).toContain("SYNTHETIC");
      const text = (await it.reading(({ read }) => chunksOf(read, id)))
        .map((chunk) => chunk.heading + chunk.text)
        .join("\n");
      expect(text).toContain("SYNTHETIC");
    }
    const household = samples.filter(({ family }) => family.includes("/terms/household/cs/"));
    expect(household.map(({ version, valid_from, valid_to }) => [version, valid_from, valid_to])).toEqual([
      ["2024-01", "2024-01-01", "2025-12-31"],
      ["2026-01", "2026-01-01", null],
    ]);
    const again = await it.json<Report>("import", "insurance", "--starter");
    expect([again.imported, again.unchanged]).toEqual([0, report.imported]);
  });
});

describe("documents over time", () => {
  test("the same content changes nothing, different content replaces it, a new version keeps the old one", async () => {
    await using it = await library();
    const version = () => it.reading(({ read }) => corpusVersion(read));
    it.put("a.md", markdown("version: 2024\nvalid_from: 2024-01-01\ntitle: Podmínky\n", clause));
    const [first] = (await it.report()).documents;
    const imported = await version();
    expect((await it.report()).unchanged).toBe(1);
    expect(await version()).toBe(imported);

    it.put(
      "a.md",
      markdown("version: 2024\nvalid_from: 2024-01-01\ntitle: Podmínky\n", `${clause} Čekací doba je 14 dnů.`),
    );
    expect((await it.report()).replaced).toBe(1);
    expect(await version()).toBeGreaterThan(imported);
    await it.reading(async ({ read }) => {
      expect((await liveDocuments(read)).map(({ id }) => id)).not.toContain(first?.document_id);
      expect(await documentById(read, first?.document_id ?? "")).toMatchObject({ state: "replaced", chunks: 1 });
      expect(await chunksOf(read, first?.document_id ?? "")).toEqual([]);
    });

    it.put("a.md", markdown("version: 2026\nvalid_from: 2026-01-01\ntitle: Podmínky\n", clause));
    expect((await it.report()).imported).toBe(1);
    const live = await it.reading(({ read }) => liveDocuments(read));
    expect(live.map(({ version, valid_from }) => [version, valid_from])).toEqual([
      ["2024", "2024-01-01"],
      ["2026", "2026-01-01"],
    ]);
    expect(new Set(live.map(({ family }) => family)).size).toBe(1);
    expect((await it.run("verify")).code).toBe(0);
  });

  test("a removed document disappears immediately, even in a running server, and can be imported again", async () => {
    await using it = await library();
    it.put("a.md", markdown("title: A\n", clause));
    it.put("b.md", markdown("title: B\n", clause));
    await it.serve();
    expect((await it.report()).imported).toBe(2);
    const [a, b] = await it.reading(({ read }) => liveDocuments(read));
    const chunks = await it.reading(({ read }) => chunksOf(read, a?.id ?? ""));
    expect((await it.run("admin", "corpus", "remove", a?.id ?? "")).code).toBe(0);
    await it.reading(async ({ read }) => {
      expect((await liveDocuments(read)).map(({ id }) => id)).toEqual([b?.id ?? ""]);
      const batches = await Array.fromAsync(liveChunks(read, 1));
      expect(batches.flat().map(({ document_id }) => document_id)).toEqual([b?.id ?? ""]);
      expect(
        await liveChunksById(
          read,
          chunks.map(({ id }) => id),
        ),
      ).toEqual([]);
    });
    expect((await it.run("admin", "corpus", "remove", a?.id ?? "")).code).toBe(2);
    expect((await it.run("admin", "corpus", "list")).out).toContain(b?.id ?? "none");
    expect((await it.run("admin", "corpus", "show", b?.id ?? "")).out).toContain(clause);
    const again = await it.report();
    expect([again.imported, again.unchanged]).toEqual([1, 1]);
  });

  test("a corrected file is no longer listed as refused", async () => {
    await using it = await library();
    it.put("a.pdf", "%PDF-1.7 damaged");
    const options = [
      "--market",
      "CZ",
      "--carrier",
      "Modrá",
      "--product-line",
      "car",
      "--document-type",
      "terms",
      "--provenance",
      "carrier",
    ];
    expect((await it.report(...options)).documents[0]?.reason?.code).toBe("broken");
    it.put("a.pdf", await pdfOf([lines(["The insurance covers damage by fire, and that is all of it for you."])]));
    expect((await it.report(...options)).imported).toBe(1);
    const [states, refused] = await it.reading(async ({ read }) => [
      await liveDocuments(read),
      await documentsIn(read, ["refused"]),
    ]);
    expect([states.length, refused]).toEqual([1, []]);
  });

  test.skipIf(process.platform !== "linux")("a name that is not UTF-8 is given as the reason", async () => {
    await using it = await library();
    it.put("a.md", markdown("version: 1\n", clause));
    const named = Buffer.concat([Buffer.from(`${it.documents}/poji`), Buffer.from([0xb9]), Buffer.from(".txt")]);
    writeFileSync(named, clause);
    const { imported, documents } = await it.report();
    const refused = documents.find(({ status }) => status === "refused");
    expect([imported, refused?.reason?.message]).toEqual([1, expect.stringContaining("its name is not UTF-8")]);
  });

  test("an empty folder, a missing path and a missing installation are distinguished", async () => {
    await using it = await library();
    mkdirSync(it.documents);
    expect((await it.import()).code).toBe(1);
    rmSync(it.documents, { recursive: true });
    expect((await it.import()).code).toBe(2);
    expect((await it.run("import", "insurance")).code).toBe(2);
  });
});
