import { type Ask, createTransport, type Options } from "./http.ts";
import type { components, operations } from "./types.ts";

export * from "./errors.ts";
export type { Options } from "./http.ts";
export type { components, operations, paths } from "./types.ts";

/** Every shape of the API by its name, such as `Schemas["Run"]`. */
export type Schemas = components["schemas"];

type Pascal<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<S>;
type Named<Name extends string> = Name extends keyof Schemas ? Schemas[Name] : Schemas["OtherResult"];
/** What a capability delivers, by its slug: `ResultOf<"exa-filter">`. Of a firm's own it is an open object. */
export type ResultOf<Capability extends string> = Named<`${Pascal<Capability>}Result`>;

/** A run whose result has the shape that its capability delivers; null unless it has succeeded. */
export type Run<Result = Schemas["Result"]> = Omit<Schemas["Run"], "result"> & { readonly result: Result | null };

type QueryOf<Operation extends keyof operations> = Omit<
  NonNullable<operations[Operation]["parameters"]["query"]>,
  "cursor"
>;

interface Starting {
  /** Makes sure that the run is made once, however often it is asked for. A fresh one unless said. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** Seconds that the server is asked to wait at a time: the longest that it takes. */
const longestWait = 60;

const isOver = ({ status }: Pick<Run, "status">): boolean => !["queued", "running"].includes(status);

/** The API of one server. Methods throw `AssayError` for what the server refuses, `ConnectionError` where none answers. */
export class Assay {
  readonly #ask: ReturnType<typeof createTransport>;

  constructor(options: Options) {
    this.#ask = createTransport(options);
  }

  async #json<T>(...request: Parameters<ReturnType<typeof createTransport>>): Promise<T> {
    return (await (await this.#ask(...request)).json()) as T;
  }

  /** Items of a list, page by page as they are asked for. */
  async *#items<Item>(path: string, query: Ask["query"], pageIn: (body: unknown) => Page<Item>): AsyncGenerator<Item> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<Item> = pageIn(await this.#json("GET", path, { query: { ...query, cursor } }));
      yield* page.items;
      cursor = page.next_cursor;
    }
  }

  #started<Result>(path: string, body: object, { idempotencyKey, signal }: Starting): Promise<Run<Result>> {
    const headers = { "idempotency-key": idempotencyKey ?? crypto.randomUUID() };
    return this.#json("POST", path, { body, headers, signal });
  }

  /** What can be run, filtered. */
  async capabilities(query: QueryOf<"listCapabilities"> = {}): Promise<readonly Schemas["Capability"][]> {
    return (await this.#json<Schemas["CapabilityList"]>("GET", "/v1/capabilities", { query })).items;
  }

  /** The contract to consult before a run. */
  capability(slug: string): Promise<Schemas["CapabilityDetail"]> {
    return this.#json("GET", `/v1/capabilities/${encodeURIComponent(slug)}`);
  }

  /** Outcomes that are made of capabilities, filtered. */
  async useCases(query: QueryOf<"listUseCases"> = {}): Promise<readonly Schemas["UseCaseSummary"][]> {
    return (await this.#json<Schemas["UseCaseList"]>("GET", "/v1/use-cases", { query })).items;
  }

  /** The maximum price for this input, good for an hour. Free; nothing is reserved. */
  quote(useCase: string, input: object): Promise<Schemas["Quote"]> {
    return this.#json("POST", `/v1/use-cases/${encodeURIComponent(useCase)}/quote`, { body: { input } });
  }

  /** Starts a run of a capability; `wait` follows it. */
  runCapability<const Capability extends string>(
    capability: Capability,
    input: object,
    {
      mode,
      workspace_id,
      maximum_credits,
      ...starting
    }: Starting & Omit<Schemas["CapabilityRunCreateRequest"], "input"> = {},
  ): Promise<Run<ResultOf<Capability>>> {
    const path = `/v1/capabilities/${encodeURIComponent(capability)}/runs`;
    return this.#started(path, { input, mode, workspace_id, maximum_credits }, starting);
  }

  /** Starts a run of a use case, at the price of a quote where one is given. */
  runUseCase(
    useCase: string,
    input: object,
    { quote_id, ...starting }: Starting & { readonly quote_id?: string } = {},
  ): Promise<Run> {
    return this.#started(`/v1/use-cases/${encodeURIComponent(useCase)}/runs`, { input, quote_id }, starting);
  }

  /** A run as it is now. */
  run(id: string, signal?: AbortSignal): Promise<Run> {
    return this.#json("GET", `/v1/runs/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * The run once it has ended, or as it is when it awaits an approval or `timeoutSeconds` (300 unless said) are over. The
   * server is not polled: it answers when something has happened.
   */
  async wait<Result>(
    run: Run<Result>,
    { timeoutSeconds = 300, signal }: { readonly timeoutSeconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Run<Result>> {
    const end = performance.now() + timeoutSeconds * 1_000;
    let seen = run;
    while (!isOver(seen)) {
      const wait = Math.min(Math.ceil((end - performance.now()) / 1_000), longestWait);
      if (wait < 1) break;
      seen = await this.#json("GET", `/v1/runs/${encodeURIComponent(run.id)}`, { query: { wait }, signal });
    }
    return seen;
  }

  /** Before its first charge the run becomes `refused`, after it `failed`; the rest of the reservation is released. */
  cancel(id: string): Promise<Run> {
    return this.#json("POST", `/v1/runs/${encodeURIComponent(id)}/cancel`);
  }

  /** The signed receipt of a run that has ended: a compact JWS, to be checked with the keys at `/.well-known/jwks.json`. */
  async receipt(id: string): Promise<string> {
    return (await this.#ask("GET", `/v1/runs/${encodeURIComponent(id)}/receipt`)).text();
  }

  /** Runs, the newest first. */
  runs(query: QueryOf<"listRuns"> = {}): AsyncGenerator<Run> {
    return this.#items("/v1/runs", query, (body) => body as Page<Run>);
  }

  /** What the firm holds. */
  async balance(): Promise<Schemas["CreditBalance"]> {
    return (await this.#json<Schemas["Credits"]>("GET", "/v1/credits", { query: { limit: 1 } })).balance;
  }

  /** The ledger's entries, the newest first, each with the balance after it. */
  creditEntries(): AsyncGenerator<Schemas["CreditEntry"]> {
    return this.#items("/v1/credits", {}, (body) => (body as Schemas["Credits"]).entries);
  }

  /** Queues the analysis of a company's website; `job` polls it. */
  analyzeCompany(
    company_url: string,
    { idempotencyKey, signal }: Starting = {},
  ): Promise<Schemas["CompanyAnalysisSubmission"]> {
    const headers = { "idempotency-key": idempotencyKey ?? crypto.randomUUID() };
    return this.#json("POST", "/v1/company-analyses", { body: { company_url }, headers, signal });
  }

  /** A job as it is now. */
  job(id: string): Promise<Schemas["Job"]> {
    return this.#json("GET", `/v1/jobs/${encodeURIComponent(id)}`);
  }

  /** Jobs, the newest first. */
  jobs(query: QueryOf<"listJobs"> = {}): AsyncGenerator<Schemas["Job"]> {
    return this.#items("/v1/jobs", query, (body) => body as Page<Schemas["Job"]>);
  }
}
