import { type Command, Option } from "commander";
import { allFirms } from "../../db/queries/firms.ts";
import { openThreadedStore } from "../../db/sqlite/connection.ts";
import { isMoved } from "../../db/sqlite/open-files.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { App } from "../app.ts";
import { collectorOf, settingMistakes } from "../config/operations.ts";
import {
  baseUrlOf,
  type Configuration,
  ConfigurationError,
  externalProviderOf,
  mcpOriginsOf,
  redirectsOf,
  type Settings,
  trustedProxiesOf,
} from "../config/settings.ts";
import type { InstallationTools } from "../contracts/installation.ts";
import { usualSender } from "../integrations/mail/sender.ts";
import type { Transport } from "../integrations/mail/smtp.ts";
import { second } from "../platform/clock.ts";
import { createLog, isLogged, type Log } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Tracing } from "../platform/tracing.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { missingTables } from "../products/datasets/missing.ts";
import type { CapabilityDefinition } from "../registry/contract.ts";
import type { EngineServices } from "../registry/services.ts";
import { createAccessLog } from "../web/access-log.ts";
import { errorResponse } from "../web/errors.ts";
import type { Context } from "./context.ts";
import { checkDemo, discardUnfinishedDemo, finishDemo, markDemo } from "./demo-folder.ts";
import { rowsBack } from "./health/datasets.ts";
import { importPlace } from "./import-lock.ts";
import {
  announceServer,
  ensureMasterKey,
  lockInstallation,
  makeFolder,
  openInstallation,
  openKeys,
  type Paths,
  pathsOf,
  refuseNewer,
} from "./installation.ts";
import { CommandError, type Io } from "./io.ts";
import { Listener } from "./listener.ts";
import { engineServices } from "./services.ts";
import { stopRequested } from "./stop.ts";
import { explainingStorage } from "./storage-trouble.ts";
import { upgrade } from "./upgrade.ts";
import { version } from "./version.ts";

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly baseUrl?: string;
  readonly logLevel?: string;
  readonly databaseUrl?: string;
  readonly demo?: boolean;
  readonly bench?: boolean;
  readonly backup: boolean;
}

/** Set by `--demo`, with `--bench`. */
interface Demo {
  readonly bench: boolean;
}

/** Interval, in milliseconds, at which a stopping server checks whether its last requests are answered. */
const pendingPollMs = 20;
interface Start {
  readonly runtime: Runtime;
  readonly configuration: Configuration;
  readonly paths: Paths;
  readonly store: Store;
  readonly baseUrl: string;
  readonly log: Log;
  readonly demo: Demo | undefined;
  /** Whether the database is backed up before a migration. */
  readonly isBackedUp: boolean;
}

async function manifests(demo: Demo | undefined): Promise<readonly CapabilityDefinition[]> {
  const { capabilities } = await import("../products/capabilities/index.ts");
  if (!demo?.bench) return capabilities;
  const { benchNoop } = await import("../products/capabilities/bench-noop/manifest.ts");
  return [...capabilities, benchNoop];
}

/** Returns the mail transport, if configured. The default sender is an address at the public host. */
async function mailTransport({ mail_url, mail_from }: Settings, baseUrl: string): Promise<Transport | undefined> {
  if (mail_url === undefined) return undefined;
  const { smtpTransport } = await import("../integrations/mail/smtp.ts");
  return smtpTransport({ url: mail_url, from: mail_from ?? usualSender(baseUrl) });
}

/** Returns tracing to the operator's collector, if configured. Only this outbound client may reach the collector. */
async function tracingOf(settings: Settings, runtime: Runtime, log: Log): Promise<Tracing | undefined> {
  const collector = collectorOf(settings);
  if (!collector) return undefined;
  const [{ createTracing }, { createOutbound }] = await Promise.all([
    import("../integrations/tracing/otlp.ts"),
    import("../integrations/outbound/guard.ts"),
  ]);
  const outbound = createOutbound({ runtime, allow_private: [collector.host] });
  return createTracing({ ...collector, outbound, clock: runtime, log, version });
}

/** Returns the access log, unless it is off or below the log level. */
function accessLogOf({ log_level, access_log_level: level, access_log_format: format }: Settings, runtime: Runtime) {
  if (level === "off" || !isLogged(level, log_level)) return undefined;
  return createAccessLog({ runtime, level, format, write: (lines) => process.stderr.write(lines) });
}

/** Returns what the operator's API needs from this process. Health checks are loaded on use, to keep the start fast. */
async function toolsOf(start: Start, services: EngineServices): Promise<InstallationTools> {
  const { runtime, configuration, paths, store, log } = start;
  const { serverBackups } = await import("./server-backups.ts");
  return {
    async health() {
      const { checkHealth } = await import("./health/health.ts");
      return checkHealth(runtime, configuration, { store, services });
    },
    documents: importPlace(paths, runtime),
    backups: serverBackups(runtime, log, paths),
  };
}

/**
 * Turns an open database into an app that can serve: migrates it, opens its keys, creates the demo data. If a stop is
 * requested meanwhile, throws its reason; what was created by then is complete, or is recreated by the next start.
 */
async function prepare(start: Start): Promise<App> {
  const { runtime, configuration, paths, store, baseUrl, log, demo, isBackedUp } = start;
  const { settings } = configuration;
  stopRequested.throwIfAborted();
  await refuseNewer(store);
  const announce = (file: string) => log.info("backed up the database before its migration", { file });
  const applied = await upgrade({ store, paths, runtime, isBackedUp, announce });
  if (applied.length > 0) log.info("migrated the database", { applied });
  stopRequested.throwIfAborted();
  const masterKey = await ensureMasterKey(runtime, settings, paths, store);
  await openKeys(runtime, store, masterKey, baseUrl);
  const capabilities = await manifests(demo);
  const tracing = await tracingOf(settings, runtime, log);
  const services = engineServices({ runtime, log, settings, db: store.read, paths, tracing });
  if (demo) {
    const { prepareDemo } = await import("../demo/index.ts");
    const dataDir = paths.folder;
    const stop = stopRequested;
    const progress = (making: string) => log.info("creating the demo data", { making });
    await prepareDemo({
      dataDir,
      baseUrl,
      masterKey,
      store,
      services,
      bench: demo.bench,
      capabilities,
      stop,
      progress,
    });
    await finishDemo(paths);
  } else if ((await allFirms(unscoped(store.read))).length === 0)
    log.warn("no firm exists yet: run `assay init`", { data: paths.folder });
  const { missing } = await missingTables(store.read, new DatasetFolder(paths.datasets));
  if (missing.length > 0) log.warn("rows of imported datasets can't be read", { missing, advice: rowsBack(paths) });
  stopRequested.throwIfAborted();
  const { createApp } = await import("../app.ts");
  const { stepEngines } = await import("../products/capabilities/steps.ts");
  const { useCases } = await import("../products/use-cases/manifests.ts");
  return createApp({
    store,
    runtime,
    log,
    masterKey,
    baseUrl,
    bodyLimit: settings.body_limit,
    mail: await mailTransport(settings, baseUrl),
    // Anyone may try the demo.
    signUp: demo && configuration.sources.sign_up === "default" ? "open" : settings.sign_up,
    external: externalProviderOf(settings),
    redirectAllow: redirectsOf(settings),
    mcpOrigins: mcpOriginsOf(settings),
    trustedProxies: trustedProxiesOf(settings),
    accessLog: accessLogOf(settings, runtime),
    tracing,
    metricsToken: settings.metrics_token,
    solutionRetentionDays: settings.solution_retention_days,
    isTls: settings.tls_cert !== undefined,
    capabilities,
    useCases,
    stepEngines,
    services,
    installation: await toolsOf(start, services),
  });
}

/** Resolves once a stop is requested. */
const untilStopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    if (stopRequested.aborted) resolve();
    else stopRequested.addEventListener("abort", () => resolve(), { once: true });
  });

/**
 * Stops accepting requests, ends the streams, lets running requests finish within the grace period and leaves the rest
 * to the next start.
 */
async function shutDown(runtime: Runtime, server: Listener, app: App, graceMs: number): Promise<void> {
  const deadline = runtime.elapsed() + graceMs;
  // Clients keep idle connections open indefinitely, so only requests are awaited.
  const closed = server.stop(false);
  app.streams.endAll();
  while (server.pending() > app.streams.unread() && runtime.elapsed() < deadline) await runtime.sleep(pendingPollMs);
  await app.stop(Math.max(0, deadline - runtime.elapsed()));
  await server.stop(true);
  await closed;
}

/**
 * Called when the database can't be written. After a failed sync the contents of the disk are unknown, and an orderly
 * close could checkpoint pages that are not there, so the process ends as in a power cut and the next start recovers.
 * If the files were moved away, they can still be read: the process continues without writing until someone intervenes.
 */
const lost = (log: Log) => (error: Error) => {
  if (isMoved(error)) {
    log.error("writing has stopped", { error });
    return;
  }
  log.error("the database can no longer be written; exiting", { error });
  process.kill(process.pid, "SIGKILL");
};

/** Reloads the certificate on SIGHUP from a service manager. On a terminal, SIGHUP means that it was closed. */
function renew(server: Listener, log: Log): void {
  try {
    const valid_to = server.renew();
    if (valid_to === undefined) log.info("no certificate to reload: none is configured");
    else log.info("reloaded the certificate", { valid_to });
  } catch (error) {
    log.error("the certificate could not be reloaded; the previous one stays in use", { error });
  }
}

interface Installation {
  readonly configuration: Configuration;
  readonly paths: Paths;
  readonly log: Log;
  readonly demo: Demo | undefined;
  readonly isBackedUp: boolean;
  readonly io: Io;
}

/** Serves until a stop is requested. Requests that arrive during the start wait for its end. */
async function serveInstallation({ io, ...installation }: Installation): Promise<void> {
  const { configuration, paths, log, demo } = installation;
  const { settings } = configuration;
  const { runtime } = io;
  const ready = Promise.withResolvers<App>();
  const failed = (error: unknown): Response => {
    log.error("unexpected", { error });
    return errorResponse("internal_error");
  };
  const server = new Listener(settings, async (request, own) => (await ready.promise).fetch(request, own), failed);
  const baseUrl = baseUrlOf(settings, server.port);
  const renewal = () => renew(server, log);
  const begun: { store?: Store; app?: App; withdraw?: () => void } = {};
  try {
    if (demo) await discardUnfinishedDemo(paths);
    const store = openInstallation(paths, (file) => openThreadedStore(file, { runtime, onFailure: lost(log) }));
    begun.store = store;
    const app = await prepare({ ...installation, runtime, store, baseUrl });
    begun.app = app;
    const recovered = await app.recover();
    if (recovered > 0) log.info("resumed unfinished work", { effects: recovered });
    server.serve((request, own) => app.fetch(request, own));
    ready.resolve(app);
    // Waiting requests are answered before the server is announced and logged.
    await runtime.nextTurn();
    begun.withdraw = await announceServer(paths, baseUrl);
    log.info(`listening on ${baseUrl}`, { host: settings.host, port: server.port, data: paths.folder });
    if (!io.terminal) process.on("SIGHUP", renewal);
    if (io.terminal) io.err(`Assay is ready at ${baseUrl}. Stop it with Ctrl-C.`);
    if (demo) {
      const { welcomeToDemo } = await import("./demo-welcome.ts");
      await welcomeToDemo({ io, log, baseUrl, dataDir: paths.folder });
    }
    await untilStopRequested();
    log.info("stopping", { signal: stopRequested.reason });
    await shutDown(runtime, server, app, settings.shutdown_grace_seconds * second);
  } finally {
    process.off("SIGHUP", renewal);
    begun.withdraw?.();
    await server.stop(true);
    await begun.app?.stop(0);
    await begun.store?.close();
  }
}

/** Serves while holding the data folder's lock. */
async function serveLocked(installation: Installation): Promise<void> {
  const { configuration, paths, demo } = installation;
  stopRequested.throwIfAborted();
  checkDemo(paths, configuration.settings, demo !== undefined);
  await makeFolder(paths);
  if (demo) await markDemo(paths);
  const lock = lockInstallation(paths);
  try {
    await serveInstallation(installation);
  } finally {
    lock.release();
  }
}

async function serve(flags: ServeFlags, { io, configure }: Context): Promise<void> {
  if (flags.bench && !flags.demo) throw new CommandError(2, "--bench requires --demo");
  const configuration = configure({
    ...(flags.host !== undefined && { host: flags.host }),
    ...(flags.port !== undefined && { port: flags.port }),
    ...(flags.baseUrl !== undefined && { base_url: flags.baseUrl }),
    ...(flags.logLevel !== undefined && { log_level: flags.logLevel }),
    ...(flags.databaseUrl !== undefined && { database_url: flags.databaseUrl }),
  });
  const { settings } = configuration;
  const mistakes = settingMistakes(settings);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const demo = flags.demo ? { bench: flags.bench === true } : undefined;
  const log = createLog(io.runtime, settings.log_level);
  try {
    const paths = pathsOf(settings);
    await explainingStorage(paths, () =>
      serveLocked({ configuration, paths, log, demo, isBackedUp: flags.backup, io }),
    );
  } catch (error) {
    // A stop during the start is not a failure.
    if (!stopRequested.aborted || error !== stopRequested.reason) throw error;
    log.info("stopping before listening", { signal: error });
  }
  log.info("stopped");
}

/** `assay serve` */
export function register(program: Command, context: Context): void {
  program
    .command("serve")
    .description("Start the server")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "port to listen on (default: 8787)")
    .option("--base-url <url>", "public address, if the server is behind a proxy")
    .option("--log-level <level>", "debug, info, warn or error (default: info)")
    .option("--demo", "serve a demo with sample data, in an empty data folder")
    .option("--bench", "with --demo: add the firms and keys that benchmarks need")
    .option("--no-backup", "do not back up the database before a migration")
    .addOption(new Option("--database-url <url>").hideHelp())
    .action((flags: ServeFlags) => serve(flags, context));
}
