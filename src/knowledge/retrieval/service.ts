import { chunksFrom, liveChunks, liveChunksById } from "../../../db/queries/chunks.ts";
import { corpusVersion, liveDocuments } from "../../../db/queries/documents.ts";
import type { Db } from "../../../db/store.ts";
import type { Meaning } from "../../contracts/meaning.ts";
import type { EmbeddingModel } from "../../integrations/models/embedding.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type {
  Chunk,
  Corpus,
  CorpusChunk,
  CorpusDocument,
  CorpusState,
  LaterQuery,
  PassageQuery,
} from "../corpus/corpus.ts";
import { detectSearchLanguage } from "../language/detect.ts";
import { searchLanguageOf } from "../language/languages.ts";
import { type BuildStage, buildIndex } from "./builder.ts";
import { type CooperativeYield, cooperativeYield } from "./cooperative-yield.ts";
import { embedQuestion } from "./endpoint.ts";
import { readIndexFile, writeIndexFile } from "./file.ts";
import { KnownQuestions } from "./known-questions.ts";
import { considered, PassageMeanings } from "./passages.ts";
import { rank } from "./rank.ts";
import type { SearchIndex } from "./search-index.ts";
import { corpusVectors } from "./vectors.ts";
import { allowedDocuments, laterDocuments } from "./versions.ts";

export interface CorpusOptions {
  readonly runtime: Runtime;
  /** Database from which documents and chunks are read: `store.read`. */
  readonly db: Db;
  /** Path of the index file: `<data>/insurance.index`. */
  readonly file: string;
  readonly log: Log;
  /** The configured embedding endpoint; absent: vectors are trained on the corpus. */
  readonly embedding?: EmbeddingModel | undefined;
  /** The meaning models, which re-rank the first results; absent: the order is by words only. */
  readonly meaning?: Meaning | undefined;
  /** Files shipped with the program: embeddings (see `passages.ts`) and questions (see `known-questions.ts`). */
  readonly shipped?: { readonly passages?: string; readonly questions?: string } | undefined;
}

/** Receives the progress of a build. */
export type BuildProgress = (stage: BuildStage, chunks: number) => void;

/** The corpus with the operations that operators need. */
export interface IndexedCorpus extends Corpus {
  /** Builds the index unconditionally and writes the file. */
  rebuild(onProgress?: BuildProgress): Promise<CorpusState>;
  /** Returns the corpus's version counter in the database. An index built at another version is stale. */
  version(): Promise<number>;
}

/** Milliseconds that a question waits for the embedding endpoint. */
const embeddingPatience = 5_000;
/** Milliseconds after which a failed build is retried, if the corpus has not changed before. */
const retryAfter = 60_000;
/** Extra chunks requested beyond the limit, since a stale index may list some that no longer exist. */
const spare = 10;
/** Number of a document's chunks read from the database at once. */
const readAtOnce = 100;
/** Maximum number of builds while the corpus keeps changing; the last one is used as it is. */
const readings = 3;

class LiveCorpus implements IndexedCorpus {
  #index: SearchIndex | undefined;
  #opening: Promise<void> | undefined;
  #building: Promise<SearchIndex> | undefined;
  #failed: { version: number; at: number } | undefined;
  readonly #closing = new AbortController();
  readonly #allowed = new Map<string, Uint8Array>();
  /** Cached results of `later` by document id, which is safe because a document never changes. */
  readonly #wanted = new Map<LaterQuery["wanted"], Map<string, readonly CorpusChunk[]>>();

  readonly #passages: PassageMeanings | undefined;
  readonly #questions: KnownQuestions | undefined;

  constructor(readonly options: CorpusOptions) {
    const { runtime, meaning, file, shipped, log } = options;
    const kept = { file: `${file}.meaning`, shipped: shipped?.passages };
    this.#passages = meaning && new PassageMeanings({ runtime, meaning, log, ...kept });
    this.#questions = shipped?.questions ? new KnownQuestions({ runtime, log, file: shipped.questions }) : undefined;
  }

  version(): Promise<number> {
    return corpusVersion(this.options.db);
  }

  async documents(): Promise<readonly CorpusDocument[]> {
    return (await liveDocuments(this.options.db)).map(documentOf);
  }

  async later({ than, at, wanted, signal }: LaterQuery): Promise<readonly Chunk[]> {
    const { documents } = await this.#current();
    const turn = cooperativeYield(this.options.runtime, signal);
    const found: Chunk[] = [];
    for (const document of laterDocuments(documents, than, at)) {
      const chunks = await this.#chunksWanted(document.id, wanted, turn);
      found.push(...chunks.map((chunk) => ({ chunk, document, score: 0 })));
    }
    // The cache includes documents that no longer exist.
    if ((this.#wanted.get(wanted)?.size ?? 0) > documents.length) this.#wanted.delete(wanted);
    return found;
  }

  /** Reads a document's chunks in batches, because it may have thousands, and caches the matching ones. */
  async #chunksWanted(
    id: string,
    wanted: LaterQuery["wanted"],
    turn: CooperativeYield,
  ): Promise<readonly CorpusChunk[]> {
    const remembered = this.#wanted.get(wanted) ?? new Map<string, readonly CorpusChunk[]>();
    this.#wanted.set(wanted, remembered);
    const known = remembered.get(id);
    if (known) return known;
    const found: CorpusChunk[] = [];
    for (let from = 0; ; from += readAtOnce) {
      const chunks = await chunksFrom(this.options.db, id, from, readAtOnce);
      for (const chunk of chunks) {
        if (wanted(chunk.text)) found.push(chunk);
        await turn();
      }
      if (chunks.length < readAtOnce) break;
    }
    remembered.set(id, found);
    return found;
  }

  async state(): Promise<CorpusState> {
    this.#opening ??= this.#stored();
    await this.#opening;
    const meta = this.#index?.meta;
    const known = meta === undefined ? "missing" : meta.chunks === 0 ? "empty" : "ready";
    return {
      status: this.#building ? "building" : known,
      documents: meta?.documents ?? 0,
      chunks: meta?.chunks ?? 0,
      unread: this.#index && this.#passages ? await this.#passages.unread(this.#index) : 0,
      version: meta?.version ?? null,
      vectors: meta?.vectors ?? null,
    };
  }

  async refresh(): Promise<CorpusState> {
    const version = await this.version();
    if (!this.#isCurrent(version)) await this.#renew(version);
    return this.state();
  }

  async rebuild(onProgress?: BuildProgress): Promise<CorpusState> {
    await this.#building?.catch(() => {});
    await this.#start(() => this.#build(onProgress));
    return this.state();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the corpus is being closed"));
    await Promise.allSettled([this.#opening, this.#building, this.#passages?.idle()]);
  }

  async search(query: PassageQuery): Promise<Chunk[]> {
    const index = await this.#current();
    const limit = Math.max(1, Math.min(100, Math.floor(query.limit)));
    if (index.meta.chunks === 0) return [];
    const language = searchLanguageOf(query.language) ?? detectSearchLanguage(query.question);
    const allowed = this.#allowedIn(index, query);
    const asked = (await this.#passages?.vectorOf(query.question)) ?? null;
    const known = (asked && (await this.#questions?.asking(asked))) ?? null;
    const found = rank(index, {
      question: query.question,
      language,
      allowed,
      vector: await this.#vectorOf(index, query.question),
      besides: [
        ...((asked && (await this.#passages?.nearest(index, asked, allowed))) ?? []),
        ...((await known?.nearest(index, allowed)) ?? []),
      ],
      limit: Math.max(limit, this.#passages ? considered : 0) + spare,
    });
    const ids = found.chunks.map((chunk) => index.chunkIds[chunk] ?? 0);
    if (ids.length === 0) return [];
    const chunks = new Map((await liveChunksById(this.options.db, ids)).map((chunk) => [chunk.id, chunk]));
    const live = found.chunks.flatMap((at, i): Chunk[] => {
      const chunk = chunks.get(index.chunkIds[at] ?? 0);
      const document = index.documents[index.chunkDocuments[at] ?? 0];
      return chunk && chunk.document_id === document?.id ? [{ chunk, document, score: found.scores[i] ?? 0 }] : [];
    });
    if (!this.#passages) return live.slice(0, limit);
    if (asked !== null) await this.#passages.readFirst(live, query.signal);
    await this.#readOn(this.#passages, index, live);
    if (asked === null) return live.slice(0, limit);
    const compared = known === null ? live : live.map((one) => known.beside(one));
    return this.#passages.reorder(asked, compared).slice(0, limit);
  }

  /** Starts reading ahead if passages lack embeddings, and logs it for the operator. */
  async #readOn(passages: PassageMeanings, index: SearchIndex, found: readonly Chunk[]): Promise<void> {
    const { db, log } = this.options;
    if (await passages.isRead(index, found)) return;
    const unread = await passages.unread(index);
    if (passages.readAhead(found, () => liveChunks(db), this.#closing.signal) && unread > 0)
      log.info("passages are being embedded: until then, searches may miss their paraphrases", { unread });
  }

  /** Returns which documents may answer, cached because most questions of a day use the same filter. */
  #allowedIn(index: SearchIndex, { country, product_line, carrier, at }: PassageQuery): Uint8Array {
    const key = JSON.stringify([country, product_line, carrier, at.toISOString().slice(0, 10)]);
    const known = this.#allowed.get(key);
    if (known) return known;
    if (this.#allowed.size >= 256) this.#allowed.clear();
    const allowed = allowedDocuments(index.documents, { country, product_line, carrier, at });
    this.#allowed.set(key, allowed);
    return allowed;
  }

  /** Returns the endpoint's vector of a question; empty if it fails, so that words alone decide. */
  async #vectorOf(index: SearchIndex, question: string): Promise<Float32Array | undefined> {
    const { embedding, log, runtime } = this.options;
    if (index.meta.vectors === corpusVectors) return undefined;
    if (embedding?.name !== index.meta.vectors) return new Float32Array(0);
    try {
      return await embedQuestion(embedding, index, question, runtime.deadline(embeddingPatience));
    } catch (error) {
      log.warn("the embedding endpoint failed: passages are searched by words only", { error });
      return new Float32Array(0);
    }
  }

  #isCurrent(version: number): boolean {
    const meta = this.#index?.meta;
    return meta?.version === version && meta.vectors === (this.options.embedding?.name ?? corpusVectors);
  }

  /** Returns the index to search: a stale one while a new one is being built, or the new one if there is none yet. */
  async #current(): Promise<SearchIndex> {
    const version = await this.version();
    this.#opening ??= this.#stored();
    await this.#opening;
    if (!this.#index) return this.#renew(version);
    const failed = this.#failed;
    const isTried = failed?.version === version && this.options.runtime.now() - failed.at < retryAfter;
    if (!this.#closing.signal.aborted && !this.#isCurrent(version) && !this.#building && !isTried)
      this.#renew(version).catch((error: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#failed = { version, at: this.options.runtime.now() };
        this.options.log.error("the search index could not be built: the previous one stays in use", { error });
      });
    return this.#index;
  }

  /** Returns a current index: from the file if another process has built it, otherwise built here. */
  #renew(version: number): Promise<SearchIndex> {
    const make = async () => {
      await this.#stored();
      return this.#index && this.#isCurrent(version) ? this.#index : this.#build();
    };
    return this.#building ?? this.#start(make);
  }

  #start(make: () => Promise<SearchIndex>): Promise<SearchIndex> {
    const building = make()
      .then((index) => {
        this.#index = index;
        this.#allowed.clear();
        return index;
      })
      .finally(() => {
        this.#building = undefined;
      });
    this.#building = building;
    return building;
  }

  /** Loads the index file, unless the index in use is newer. */
  async #stored(): Promise<void> {
    const { file, log } = this.options;
    const index = await readIndexFile(file).catch((error: unknown) => {
      log.warn("the search index file can't be used and is rebuilt", { error });
      return undefined;
    });
    if (!index || index.meta.version < (this.#index?.meta.version ?? 0)) return;
    if (index.meta.version === (await this.version()) && !(await this.#isOf(index))) return;
    this.#index = index;
    this.#allowed.clear();
  }

  /** Checks that an index is of these documents: after a restore, another corpus may have the same version. */
  async #isOf({ documents }: SearchIndex): Promise<boolean> {
    const live = await this.documents();
    return live.length === documents.length && live.every(({ id }, at) => id === documents[at]?.id);
  }

  async #build(onProgress: BuildProgress = () => {}): Promise<SearchIndex> {
    const { db, file, log, embedding, runtime } = this.options;
    const started = runtime.elapsed();
    for (let reading = 1; ; reading++) {
      const version = await this.version();
      const index = await buildIndex({
        runtime,
        documents: await this.documents(),
        chunks: () => liveChunks(db),
        version,
        embedding,
        previous: this.#index,
        signal: this.#closing.signal,
        onProgress,
      });
      // Batches are read separately, so a concurrent change may be included only in part.
      if (reading < readings && (await this.version()) !== version) continue;
      await writeIndexFile(file, index);
      const { chunks, documents } = index.meta;
      log.info("search index built", { documents, chunks, ms: Math.round(runtime.elapsed() - started) });
      return index;
    }
  }
}

/** Returns a row without the columns that only the importer uses. */
const documentOf = (row: CorpusDocument): CorpusDocument => ({
  id: row.id,
  family: row.family,
  title: row.title,
  carrier: row.carrier,
  market: row.market,
  product_line: row.product_line,
  document_type: row.document_type,
  provenance: row.provenance,
  language: row.language,
  version: row.version,
  valid_from: row.valid_from,
  valid_to: row.valid_to,
  url: row.url,
});

/** Opens an installation's corpus. Nothing is read before the first search. Called by `src/cli/services.ts`. */
export const createCorpus = (options: CorpusOptions): IndexedCorpus => new LiveCorpus(options);
