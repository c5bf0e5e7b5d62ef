import { Elysia } from "elysia";
import type { Store } from "../db/connection.ts";
import { allEffects } from "../db/effects.ts";
import { asHost } from "../db/tenancy.ts";
import { accountRoutes } from "./account/routes.ts";
import { browserSessionRoutes } from "./auth/cookies-routes.ts";
import { createBrowserParts } from "./auth/external-parts.ts";
import type { ExternalSettings } from "./auth/external-provider.ts";
import { externalRoutes } from "./auth/external-routes.ts";
import { createAuth } from "./auth/parts.ts";
import { authRoutes } from "./auth/routes.ts";
import type { CapabilityDefinition, UseCaseManifest } from "./catalogue/contract.ts";
import { createRegistry } from "./catalogue/registry.ts";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { createCatalogue } from "./catalogue/service.ts";
import { developerRoutes } from "./developer/routes.ts";
import { docsRoutes } from "./docs/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { accessControl } from "./http/access.ts";
import { createAttemptGuard } from "./http/attempts.ts";
import { createEdge, type Edge } from "./http/edge.ts";
import { errorHandler } from "./http/errors.ts";
import { openKeyring } from "./identity/keyring.ts";
import { createIdentity } from "./identity/principal.ts";
import { keyRoutes } from "./identity/routes.ts";
import type { Transport } from "./mail/smtp.ts";
import { pageRoutes } from "./pages/routes.ts";
import type { Parts } from "./parts.ts";
import type { Clock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import { createAcceptance } from "./runs/accept.ts";
import { createRunActors, runMachineName } from "./runs/actor.ts";
import { createDecisions } from "./runs/decide.ts";
import { createPerformer } from "./runs/perform.ts";
import { runRoutes } from "./runs/routes.ts";
import { savedConfigurationRoutes } from "./saved-configurations/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { useCaseRoutes } from "./use-cases/routes.ts";
import { createUseCases } from "./use-cases/service.ts";
import type { Engine } from "./workflow/engine.ts";
import type { EngineServices } from "./workflow/services.ts";
import { createWorker } from "./workflow/worker.ts";

export interface AppOptions {
  readonly store: Store;
  readonly clock: Clock;
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

async function createParts(options: AppOptions): Promise<Parts> {
  const { store, clock, log, baseUrl } = options;
  const keyring = await openKeyring(store, options.masterKey, baseUrl, clock);
  const identity = createIdentity(store, keyring, clock);
  const auth = createAuth({ store, clock, log, keyring, baseUrl, mail: options.mail });
  const { masterKey, external: provider, redirectAllow } = options;
  const shared = { store, clock, identity, baseUrl };
  const browserParts = createBrowserParts({ ...shared, sessions: auth.sessions, masterKey, provider, redirectAllow });
  const registry = createRegistry(options.capabilities, options.useCases, options.stepEngines, options.services);
  const worker = createWorker({ clock, log, limits: (engine) => registry.engine(engine)?.limits ?? usualLimits });
  const providerShare = (slug: string) => {
    const sold = registry.capabilities.get(slug);
    return sold && { name: sold.provider, credits: sold.pricing.provider_cost_credits };
  };
  const actors = createRunActors({ keyring, random: Math.random, providerShare });
  const performer = createPerformer({ store, actors, registry, identity, clock, log });
  worker.handle(runMachineName, performer.carryOut);
  return {
    ...auth,
    ...browserParts,
    baseUrl,
    store,
    clock,
    log,
    keyring,
    identity,
    registry,
    worker,
    access: accessControl(identity, createAttemptGuard(clock, badKeysPerMinute), browserParts.browser),
    catalogue: createCatalogue(registry, store.read, clock),
    useCases: createUseCases(registry, store, clock),
    acceptance: createAcceptance({ store, worker, actors, clock, onAccepted: performer.remember }),
    decisions: createDecisions({ store, worker, actors, identity, clock, onDecided: performer.forget }),
  };
}

/** Every route that the reference documents. */
const documented = (parts: Parts) =>
  new Elysia({ name: "routes", normalize: false })
    .use(healthRoutes(parts))
    .use(catalogueRoutes(parts))
    .use(useCaseRoutes(parts))
    .use(runRoutes(parts))
    .use(savedConfigurationRoutes(parts))
    .use(usageRoutes(parts))
    .use(authRoutes(parts))
    .use(externalRoutes(parts))
    .use(browserSessionRoutes(parts))
    .use(pageRoutes(parts))
    .use(developerRoutes(parts))
    .use(accountRoutes(parts))
    .use(keyRoutes(parts));

/** Wires the product. The only place where parts meet; tests call it too. */
export async function createApp(options: AppOptions): Promise<App> {
  const parts = await createParts(options);
  const routes = documented(parts);
  // A host of three letters is a host too: without this, Elysia looks for the path behind the eleventh character.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(errorHandler(parts.log))
    .use(routes)
    .use(await docsRoutes(parts, routes));
  return {
    fetch: createEdge(app, options.bodyLimit),
    parts,
    async recover() {
      parts.mailer.start();
      const effects = await allEffects(asHost(parts.store.read));
      for (const effect of effects) parts.worker.submit(effect);
      return effects.length;
    },
    async stop(ms) {
      await Promise.all([parts.worker.stop(ms), parts.mailer.stop()]);
    },
  };
}
