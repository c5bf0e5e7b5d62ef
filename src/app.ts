import { Elysia } from "elysia";
import { allEffects } from "../db/queries/effects.ts";
import type { Store } from "../db/store.ts";
import { unscoped } from "../db/tenancy.ts";
import { accountRoutes } from "./accounts/account/routes.ts";
import { browserSessionRoutes } from "./accounts/auth/cookies-routes.ts";
import { createBrowserParts } from "./accounts/auth/external-parts.ts";
import type { ExternalSettings } from "./accounts/auth/external-provider.ts";
import { externalRoutes } from "./accounts/auth/external-routes.ts";
import { keyRoutes } from "./accounts/auth/key-set-routes.ts";
import { createAuth } from "./accounts/auth/parts.ts";
import { authRoutes } from "./accounts/auth/routes.ts";
import { developerRoutes } from "./accounts/developer/routes.ts";
import { createOAuth } from "./accounts/oauth/parts.ts";
import { oauthRoutes } from "./accounts/oauth/routes.ts";
import { pageRoutes } from "./accounts/pages/routes.ts";
import { usageRoutes } from "./accounts/usage/routes.ts";
import type { Engine } from "./contracts/engine.ts";
import { createHost } from "./execution/host.ts";
import { createActorWatch } from "./execution/watch.ts";
import { createWorker, type Handler } from "./execution/worker.ts";
import { openKeyring } from "./identity/keyring.ts";
import { createIdentity, type Identity } from "./identity/principal.ts";
import type { Transport } from "./integrations/mail/smtp.ts";
import { jobMachineName } from "./jobs/decide.ts";
import { createJobKind } from "./jobs/kind.ts";
import { JobPerformer } from "./jobs/perform.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { createJobs } from "./jobs/service.ts";
import type { Parts } from "./parts.ts";
import type { Clock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import { type Runtime, systemRuntime } from "./platform/runtime.ts";
import { catalogueRoutes } from "./products/catalogue/routes.ts";
import { createCatalogue } from "./products/catalogue/service.ts";
import { connectorSource } from "./products/connectors/source.ts";
import { insuranceRoutes } from "./products/insurance/routes.ts";
import { createInsurance } from "./products/insurance/service.ts";
import { partnerToolRoutes } from "./products/partner-tool/routes.ts";
import { savedConfigurationRoutes } from "./products/saved-configurations/routes.ts";
import { useCaseRoutes } from "./products/use-cases/routes.ts";
import { createUseCases } from "./products/use-cases/service.ts";
import type { CapabilityDefinition, UseCaseManifest } from "./registry/contract.ts";
import { createRegistry, type Registry } from "./registry/registry.ts";
import type { EngineServices } from "./registry/services.ts";
import { Acceptance } from "./runs/accept.ts";
import { createDecisions } from "./runs/decisions.ts";
import { runMachineName } from "./runs/effects.ts";
import { createRunKind } from "./runs/kind.ts";
import { RunPerformer } from "./runs/perform.ts";
import { createRecentRuns } from "./runs/recent.ts";
import { runRoutes } from "./runs/routes.ts";
import { receiptType } from "./runs/schema.ts";
import { docsRoutes } from "./surfaces/docs/routes.ts";
import { createDocs, type Docs } from "./surfaces/docs/service.ts";
import { healthRoutes } from "./surfaces/health/routes.ts";
import { mcpRoutes } from "./surfaces/mcp/routes.ts";
import { accessControl } from "./web/access.ts";
import { createAttemptGuard } from "./web/attempts.ts";
import { createEdge, type Edge } from "./web/edge.ts";
import { errorHandler } from "./web/errors.ts";

export interface AppOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Ids, chance and turns; absent: the machine itself, with the clock of before. */
  readonly runtime?: Runtime;
  readonly log: Log;
  /** 32 bytes that private signing keys are encrypted under. */
  readonly masterKey: Uint8Array;
  /** The one public address: issuer, audience, and what links begin with. */
  readonly baseUrl: string;
  readonly bodyLimit: number;
  /** The OpenID provider that people may sign in with; absent: none. */
  readonly external?: ExternalSettings | undefined;
  /** Addresses that a sign-in may lead to, besides our own: each itself, or all below one that ends in a slash. */
  readonly redirectAllow?: readonly string[] | undefined;
  /** How mail leaves the house; absent: it waits in the operator's outbox. */
  readonly mail?: Transport | undefined;
  /** Origins of pages that may call `/mcp`, besides our own. */
  readonly mcpOrigins?: readonly string[] | undefined;
  /** Addresses of the operator's own proxies, whose `X-Forwarded-For` tells where a request comes from. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly capabilities: readonly CapabilityDefinition[];
  readonly useCases: readonly UseCaseManifest[];
  readonly stepEngines: Readonly<Record<string, Engine>>;
  /** What engines are made from. */
  readonly services: EngineServices;
}

export interface App {
  readonly fetch: Edge;
  readonly parts: Parts;
  /** Takes up what an earlier process left unfinished. */
  recover(): Promise<number>;
  /** Lets what is under way finish for so long; the rest is the next start's. */
  stop(ms: number): Promise<void>;
}

/** Wrong keys that one address may send in a minute. */
const badKeysPerMinute = 200;
/** Steps under way at once, for an engine that says nothing. */
const usualLimits = { total: 32, perFirm: 8 };

/** Whoever is found to call sees what their firm has sold now. */
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

async function createParts(options: AppOptions): Promise<Parts> {
  const { store, clock, log, baseUrl } = options;
  const runtime: Runtime = options.runtime ?? {
    ...systemRuntime,
    now: () => clock.now(),
    after: (ms, callback) => clock.after(ms, callback),
  };
  const keyring = await openKeyring(store, options.masterKey, baseUrl, clock);
  const connectors = connectorSource(store, options.masterKey, options.services);
  const { capabilities, useCases, stepEngines, services } = options;
  const registry = createRegistry(capabilities, useCases, stepEngines, services, connectors);
  const identity = refreshing(createIdentity(store, keyring, clock), registry);
  const auth = createAuth({ store, clock, log, keyring, baseUrl, mail: options.mail });
  const { masterKey, external: provider, redirectAllow } = options;
  const shared = { store, clock, identity, baseUrl };
  const browserParts = createBrowserParts({ ...shared, sessions: auth.sessions, masterKey, provider, redirectAllow });
  const worker = createWorker({ clock, log, limits: (engine) => registry.engine(engine)?.limits ?? usualLimits });
  const providerShare = (slug: string) => {
    const sold = registry.capabilities.get(slug);
    return sold && { name: sold.provider, credits: sold.pricing.provider_cost_credits };
  };
  const recentRuns = createRecentRuns();
  const watch = createActorWatch();
  const host = createHost({ store, sign: (payload) => keyring.signTogether(payload, receiptType) });
  const rules = { runtime, providerShare };
  const runKind = createRunKind({ store, rules, recentRuns, watch });
  const jobKind = createJobKind(store, runtime, watch);
  const moving = { store, host, registry, identity, clock, log };
  const runs = new RunPerformer({ ...moving, kind: runKind, recentRuns });
  const jobs = new JobPerformer({ ...moving, kind: jobKind });
  /** A private capability may have changed since the effect was written. */
  const refreshed =
    (carryOut: Handler): Handler =>
    async (effect, control) => {
      if (!registry.isBuiltIn(effect.engine)) await registry.refresh();
      return carryOut(effect, control);
    };
  worker.handle(
    runMachineName,
    refreshed((effect, control) => runs.carryOut(effect, control)),
  );
  worker.handle(
    jobMachineName,
    refreshed((effect, control) => jobs.carryOut(effect, control)),
  );
  const attempts = createAttemptGuard(clock, badKeysPerMinute);
  const { outbound } = options.services;
  const signedIn = { sessions: auth.sessions, browser: browserParts.browser };
  return {
    ...auth,
    ...browserParts,
    ...createOAuth({ ...shared, ...signedIn, keyring, outbound, masterKey, attempts }),
    baseUrl,
    store,
    clock,
    log,
    keyring,
    identity,
    registry,
    worker,
    recentRuns,
    watch,
    attempts,
    access: accessControl(identity, attempts, browserParts.browser),
    catalogue: createCatalogue(registry, store, clock),
    useCases: createUseCases(registry, store, clock),
    acceptance: new Acceptance({ store, host, kind: runKind, registry, worker, runtime }),
    insurance: createInsurance({ store, clock, log, registry, corpus: options.services.corpus }),
    decisions: createDecisions({ store, host, kind: runKind, worker, identity, clock }),
    jobs: createJobs({ store, host, kind: jobKind, registry, worker, runtime, checkUrl: outbound.checkUrl }),
  };
}

/** Every route that the reference documents. */
const documented = (parts: Parts) =>
  new Elysia({ name: "routes", normalize: false })
    .use(healthRoutes(parts))
    .use(catalogueRoutes(parts))
    .use(useCaseRoutes(parts))
    .use(runRoutes(parts))
    .use(jobRoutes(parts))
    .use(savedConfigurationRoutes(parts))
    .use(partnerToolRoutes(parts))
    .use(usageRoutes(parts))
    .use(authRoutes(parts))
    .use(externalRoutes(parts))
    .use(browserSessionRoutes(parts))
    .use(pageRoutes(parts))
    .use(developerRoutes(parts))
    .use(oauthRoutes(parts))
    .use(accountRoutes(parts))
    .use(insuranceRoutes(parts))
    .use(keyRoutes(parts));

/** Wires the product. The only place where parts meet; tests call it too. */
export async function createApp(options: AppOptions): Promise<App> {
  const parts = await createParts(options);
  const routes = documented(parts);
  const docs: Docs = createDocs({
    registry: parts.registry,
    baseUrl: parts.baseUrl,
    routes: () => [reference, routes],
  });
  const reference = docsRoutes(parts, docs);
  // A host of three letters is a host too: without this, Elysia looks for the path behind the eleventh character.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(errorHandler(parts.log))
    .use(routes)
    .use(mcpRoutes(parts, docs, { origins: options.mcpOrigins }))
    .use(reference);
  return {
    fetch: createEdge(app, {
      bodyLimit: options.bodyLimit,
      trustedProxies: options.trustedProxies,
    }),
    parts,
    async recover() {
      parts.mailer.start();
      await parts.registry.refresh();
      const effects = await allEffects(unscoped(parts.store.read));
      for (const effect of effects) parts.worker.submit(effect);
      return effects.length;
    },
    async stop(ms) {
      await Promise.all([parts.worker.stop(ms), parts.mailer.stop(), options.services.corpus.close()]);
    },
  };
}
