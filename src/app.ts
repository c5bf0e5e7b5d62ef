import { createAccessCache } from "../db/queries/access-version.ts";
import type { Store } from "../db/store.ts";
import { accountRoutes } from "./accounts/account/routes.ts";
import {
  type AccountOptions,
  createBrowserServices,
  createOAuthServices,
  createSignInServices,
} from "./accounts/assembly.ts";
import { browserSessionRoutes } from "./accounts/auth/cookies-routes.ts";
import { externalRoutes } from "./accounts/auth/external-routes.ts";
import { keyRoutes } from "./accounts/auth/key-set-routes.ts";
import { createOperatorCheck } from "./accounts/auth/operator-check.ts";
import { authRoutes } from "./accounts/auth/routes.ts";
import { developerRoutes } from "./accounts/developer/routes.ts";
import { oauthRoutes } from "./accounts/oauth/routes.ts";
import { operatorRoutes } from "./accounts/operator/routes.ts";
import { landingRoute } from "./accounts/pages/landing.ts";
import { missingPage } from "./accounts/pages/missing.ts";
import { pageRoutes } from "./accounts/pages/routes.ts";
import { teamRoutes } from "./accounts/team/routes.ts";
import { usageRoutes } from "./accounts/usage/routes.ts";
import type { InstallationTools } from "./contracts/installation.ts";
import { createHost } from "./execution/host.ts";
import { createLeases, type Leases } from "./execution/leases.ts";
import { tracedHandler, tracedStore } from "./execution/traced.ts";
import { createWaits } from "./execution/wait.ts";
import { type ActorWatch, createActorWatch } from "./execution/watch.ts";
import { createWorker, type Handler, type Worker } from "./execution/worker.ts";
import { type Keyring, openKeyring } from "./identity/keyring.ts";
import { createIdentity, type Identity } from "./identity/principal.ts";
import { jobMachineName } from "./jobs/decide.ts";
import { createJobKind } from "./jobs/kind.ts";
import { JobPerformer } from "./jobs/perform.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { createJobs } from "./jobs/service.ts";
import type { Log } from "./platform/log.ts";
import type { Runtime } from "./platform/runtime.ts";
import type { Tracing } from "./platform/tracing.ts";
import { createSolutionRetention } from "./products/architect/retention.ts";
import { architectRoutes } from "./products/architect/routes.ts";
import { catalogueRoutes } from "./products/catalogue/routes.ts";
import { createCatalogue } from "./products/catalogue/service.ts";
import { connectorSource } from "./products/connectors/source.ts";
import { euMarketRoutes } from "./products/eu-market/routes.ts";
import { createEnrichments } from "./products/germany/enrichments.ts";
import { germanyRoutes } from "./products/germany/routes.ts";
import { DocumentImports, documentImportLimits, documentImportMachine } from "./products/insurance/document-imports.ts";
import { insuranceRoutes } from "./products/insurance/routes.ts";
import { createInsurance } from "./products/insurance/service.ts";
import { laterServices } from "./products/later-services.ts";
import { partnerToolRoutes } from "./products/partner-tool/routes.ts";
import { savedConfigurationRoutes } from "./products/saved-configurations/routes.ts";
import { useCaseRoutes } from "./products/use-cases/routes.ts";
import { createUseCases } from "./products/use-cases/service.ts";
import { hostStudies } from "./products/validator/host.ts";
import { validatorRoutes } from "./products/validator/routes.ts";
import { studyRoutes } from "./products/validator/study-routes.ts";
import type { CapabilityDefinition, UseCaseManifest } from "./registry/contract.ts";
import { createGates, createRegistry, type Registry } from "./registry/registry.ts";
import type { EngineServices, EngineSource } from "./registry/services.ts";
import { Acceptance } from "./runs/accept.ts";
import { createApprovalMail } from "./runs/approval-mail.ts";
import { createDecisions } from "./runs/decisions.ts";
import { approvalMailMachine, runMachineName } from "./runs/effects.ts";
import { createRunKind } from "./runs/kind.ts";
import { RunPerformer } from "./runs/perform.ts";
import { createRecentRuns } from "./runs/recent.ts";
import { runRoutes } from "./runs/routes.ts";
import { receiptType } from "./runs/schema.ts";
import { createStepSealing } from "./runs/sealing.ts";
import { createWithheldOutputs } from "./runs/withheld-output.ts";
import { consoleRoutes } from "./surfaces/console/routes.ts";
import { docsRoutes } from "./surfaces/docs/routes.ts";
import { createDocs, type Docs } from "./surfaces/docs/service.ts";
import { documentRoutes } from "./surfaces/documents/routes.ts";
import { healthRoutes } from "./surfaces/health/routes.ts";
import { mcpRoutes } from "./surfaces/mcp/routes.ts";
import { countRequests } from "./surfaces/metrics/requests.ts";
import { metricsRoutes } from "./surfaces/metrics/routes.ts";
import { receiptRoutes } from "./surfaces/receipts/routes.ts";
import { accessControl } from "./web/access.ts";
import { serveRoutes } from "./web/adapter.ts";
import { createAttemptGuard } from "./web/attempts.ts";
import { createCursors } from "./web/cursor.ts";
import type { Route } from "./web/define-route.ts";
import { createEdge, type Edge } from "./web/edge.ts";
import { type Observer, warnOfRejectedCredentials } from "./web/observe.ts";
import { createEventStreams, type EventStreams } from "./web/sse.ts";

export interface AppOptions extends Omit<AccountOptions, "outbound"> {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  /** 32 bytes that private signing keys are encrypted under. */
  readonly masterKey: Uint8Array;
  /** The one public address: issuer, audience, and what links begin with. */
  readonly baseUrl: string;
  readonly bodyLimit: number;
  /** Origins of pages that may call `/mcp`, besides our own. */
  readonly mcpOrigins?: readonly string[] | undefined;
  /** Addresses of the operator's own proxies, whose `X-Forwarded-For` says where a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Whether the socket itself speaks TLS. */
  readonly isTls?: boolean;
  /** Measures requests, decisions and effects; absent: nothing is measured. */
  readonly tracing?: Tracing | undefined;
  /** Writes a line for each request. */
  readonly accessLog?: Observer | undefined;
  /** Opens `/metrics` from everywhere; absent: it is open to this machine alone. */
  readonly metricsToken?: string | undefined;
  /** Days after its last change that a solution is kept for; absent: for good. */
  readonly solutionRetentionDays?: number | undefined;
  readonly capabilities: readonly CapabilityDefinition[];
  readonly useCases: readonly UseCaseManifest[];
  readonly stepEngines: Readonly<Record<string, EngineSource>>;
  /** What engines are made from. */
  readonly services: EngineServices;
  /** What an operator may ask of the process itself; absent: nothing. */
  readonly installation?: InstallationTools | undefined;
}

export interface App {
  readonly fetch: Edge;
  readonly parts: Parts;
  /** Its open streams, which a stop ends. */
  readonly streams: EventStreams;
  /** Takes up what an earlier process left unfinished. */
  recover(): Promise<number>;
  /** Lets what is under way finish for so long; the rest is the next start's. */
  stop(ms: number): Promise<void>;
}

/** Wrong keys that one address may send in a minute. */
const badKeysPerMinute = 200;
/** A SQLite file has one process at a time: whatever another one held is free. */
const onlyNode = "local";
/** Steps under way at once, for an engine that says nothing. */
const usualLimits = { total: 32, perFirm: 8 };

/** An identified caller sees what their firm has sold now. */
const refreshing = (identity: Identity, registry: Registry): Identity => ({
  ...identity,
  byApiKey(secret) {
    const refreshed = registry.refresh();
    return refreshed ? refreshed.then(() => identity.byApiKey(secret)) : identity.byApiKey(secret);
  },
  async byAccessToken(token) {
    await registry.refresh();
    return identity.byAccessToken(token);
  },
});

interface ActorNeeds {
  readonly identity: Identity;
  readonly keyring: Keyring;
  readonly leases: Leases;
  readonly registry: Registry;
  readonly worker: Worker;
}

/** The one host of runs and jobs, and the worker that carries out their effects. */
function hostActors({ store, runtime, log, masterKey, tracing, mail }: AppOptions, needs: ActorNeeds) {
  const { identity, keyring, leases, registry, worker } = needs;
  const recentRuns = createRecentRuns();
  const watch = createActorWatch();
  const host = createHost({
    store: tracing ? tracedStore(store, tracing) : store,
    sign: (payload) => keyring.sign(payload, receiptType),
    takeUp(effects) {
      for (const effect of effects) worker.submit(effect);
    },
  });
  const providerShare = (slug: string) => {
    const sold = registry.capabilities.get(slug);
    return sold && { name: sold.provider, credits: sold.pricing.provider_cost_credits };
  };
  const { owner } = leases;
  const sealing = createStepSealing(runtime, masterKey);
  const withheldOutputs = createWithheldOutputs({ store, registry, sealing });
  const rules = { runtime, owner, sealing, providerShare, mailsApprovals: mail !== undefined };
  const runKind = createRunKind({ store, rules, recentRuns, watch });
  const jobKind = createJobKind(store, { random: runtime.random, owner }, watch);
  const moving = { store, host, registry, identity, clock: runtime, log };
  const runs = new RunPerformer({ ...moving, kind: runKind, recentRuns, watch, withheldOutputs, worker });
  const jobs = new JobPerformer({ ...moving, kind: jobKind });
  /** A private capability may have changed since the effect was written. */
  const refreshed =
    (carryOut: Handler): Handler =>
    async (effect, control) => {
      if (!registry.isBuiltIn(effect.engine)) await registry.refresh();
      return carryOut(effect, control);
    };
  const carryOut = (handler: Handler) => refreshed(tracing ? tracedHandler(handler, tracing) : handler);
  worker.handle(
    runMachineName,
    carryOut((effect, control) => runs.carryOut(effect, control)),
  );
  worker.handle(
    jobMachineName,
    carryOut((effect, control) => jobs.carryOut(effect, control)),
  );
  return { host, runKind, jobKind, recentRuns, watch, withheldOutputs };
}

/** Takes documents that operators send, where the process has a place for them. */
function hostDocumentImports(
  { store, runtime, services: { computing }, installation }: AppOptions,
  { leases: { owner }, watch, worker }: { leases: Leases; watch: ActorWatch; worker: Worker },
): DocumentImports {
  const place = installation?.documents;
  const documentImports = new DocumentImports({ store, runtime, computing, worker, watch, owner, place });
  worker.handle(documentImportMachine, documentImports.carryOut);
  return documentImports;
}

/** How much of an engine's work may be under way. */
const limitsOf = (registry: Registry) => (engine: string) =>
  engine === documentImportMachine ? documentImportLimits : (registry.engine(engine)?.limits ?? usualLimits);

/** Everything that the nouns' routes are served by, each of which says what it takes of it. */
async function createParts(options: AppOptions) {
  const { store, runtime, log, baseUrl } = options;
  const clock = runtime;
  const cacheByAccessVersion = createAccessCache(store, runtime);
  const keyring = await openKeyring(store, options.masterKey, baseUrl, runtime);
  const connectors = connectorSource(store, options.masterKey, options.services, cacheByAccessVersion);
  const { capabilities, useCases, stepEngines, services } = options;
  const gates = createGates(store.read, cacheByAccessVersion);
  const registry = createRegistry(capabilities, useCases, stepEngines, services, gates, connectors);
  const identity = refreshing(createIdentity({ store, keyring, clock, cacheByAccessVersion }), registry);
  const accounts = { ...options, outbound: services.outbound };
  const auth = createSignInServices(accounts, keyring);
  const { sessions } = auth;
  const browserServices = createBrowserServices(accounts, identity, sessions);
  const { browser } = browserServices;
  const leases = createLeases({ store, clock, log, node: onlyNode, generation: runtime.id() });
  const worker = createWorker({ clock, log, limits: limitsOf(registry), leases });
  registry.onChange(() => worker.reloadLimits());
  const hosted = hostActors(options, { identity, keyring, leases, registry, worker });
  const { host, runKind, jobKind, recentRuns, watch, withheldOutputs } = hosted;
  worker.handle(approvalMailMachine, createApprovalMail({ store, runtime, registry, mailer: auth.mailer, baseUrl }));
  const { conductor, validatorUsage } = hostStudies(options, { host, leases, watch, worker });
  const acceptance = new Acceptance({ store, host, kind: runKind, registry, worker, runtime, cacheByAccessVersion });
  const attempts = createAttemptGuard(runtime, badKeysPerMinute);
  const streams = createEventStreams(clock);
  const cursors = createCursors(options.masterKey, runtime);
  const { checkUrl } = services.outbound;
  const jobs = createJobs({ store, host, kind: jobKind, registry, worker, runtime, checkUrl });
  return {
    ...auth,
    ...browserServices,
    ...createOAuthServices(accounts, { attempts, browser, cacheByAccessVersion, identity, keyring, sessions }),
    baseUrl,
    store,
    clock,
    runtime,
    log,
    installation: options.installation,
    documentImports: hostDocumentImports(options, { leases, watch, worker }),
    keyring,
    identity,
    registry,
    worker,
    leases,
    recentRuns,
    watch,
    withheldOutputs,
    requests: countRequests(),
    streams,
    waits: createWaits(clock, watch, streams.ending, identity.isValid),
    cursors,
    attempts,
    access: accessControl(identity, attempts, browser, createOperatorCheck(store, clock)),
    catalogue: createCatalogue(registry, store, clock),
    useCases: createUseCases(registry, store, runtime),
    acceptance,
    validatorUsage,
    solutionRetention: createSolutionRetention({ store, runtime, log, days: options.solutionRetentionDays }),
    insurance: createInsurance({ store, runtime, log, registry, corpus: options.services.corpus }),
    decisions: createDecisions({ store, host, kind: runKind, worker, identity, clock, registry, withheldOutputs }),
    jobs,
    ...laterServices(options, { acceptance, conductor, host, identity, keyring, registry, ending: streams.ending }),
    enrichments: createEnrichments({ datasets: services.datasets, identity, jobs }),
  };
}

type Parts = Awaited<ReturnType<typeof createParts>>;

/** Every route but those of the documentation and of `/mcp`, in the order in which the reference shows them. */
const ownRoutes = (parts: Parts): Route[] => [
  ...healthRoutes(parts),
  ...catalogueRoutes(parts),
  ...useCaseRoutes(parts),
  ...runRoutes(parts),
  ...jobRoutes(parts),
  ...savedConfigurationRoutes(parts),
  ...partnerToolRoutes(parts),
  ...usageRoutes(parts),
  ...authRoutes(parts),
  ...externalRoutes(parts),
  ...browserSessionRoutes(parts),
  landingRoute(parts),
  ...pageRoutes(parts),
  ...consoleRoutes(parts),
  ...receiptRoutes,
  ...documentRoutes(parts),
  ...developerRoutes(parts),
  ...teamRoutes(parts),
  ...oauthRoutes(parts),
  ...accountRoutes(parts),
  ...insuranceRoutes(parts),
  ...euMarketRoutes(parts),
  ...germanyRoutes(parts),
  ...validatorRoutes(parts),
  ...studyRoutes(parts),
  ...architectRoutes(parts),
  ...operatorRoutes(parts),
  ...keyRoutes(parts),
];

/** Wires the product. The only place where parts meet; tests call it too. */
export async function createApp(options: AppOptions): Promise<App> {
  const parts = await createParts(options);
  const own = ownRoutes(parts);
  const docs: Docs = createDocs({
    registry: parts.registry,
    baseUrl: parts.baseUrl,
    routes: () => [...reference, ...own],
    runtime: options.runtime,
  });
  const reference = docsRoutes(docs);
  const metrics = metricsRoutes({ ...parts, computing: options.services.computing }, options.metricsToken);
  const routes = [...own, ...metrics, ...mcpRoutes(parts, docs, { origins: options.mcpOrigins }), ...reference];
  const { runtime } = options;
  const missing = missingPage(options.baseUrl);
  return {
    fetch: createEdge(serveRoutes(routes, { ...parts, runtime, isTls: options.isTls, missing }), routes, {
      runtime,
      bodyLimit: options.bodyLimit,
      trustedProxies: options.trustedProxies,
      tracing: options.tracing,
      observers: [parts.requests.observe, warnOfRejectedCredentials(parts.log), options.accessLog].filter(
        (observer) => observer !== undefined,
      ),
    }),
    parts,
    streams: parts.streams,
    async recover() {
      parts.mailer.start();
      parts.solutionRetention.start();
      await parts.registry.refresh();
      await parts.documentImports.sweep();
      const effects = await parts.leases.takeUp();
      for (const effect of effects) parts.worker.submit(effect);
      return effects.length;
    },
    async stop(ms) {
      // Callers that wait for the models go on without them.
      options.services.meaning.stop();
      await Promise.all([parts.worker.stop(ms), parts.mailer.stop(), parts.solutionRetention.stop()]);
      // After the work that searches it: a search that is closed under a run would fail the run for good.
      await options.services.corpus.close();
      await options.tracing?.stop();
      options.services.computing.stop();
    },
  };
}
