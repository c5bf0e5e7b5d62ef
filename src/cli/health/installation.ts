import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { allEffects } from "../../../db/queries/effects.ts";
import { allFirms } from "../../../db/queries/firms.ts";
import { signingKeys } from "../../../db/queries/signing-keys.ts";
import { openLook } from "../../../db/sqlite/look.ts";
import { migrationState } from "../../../db/sqlite/migrate.ts";
import type { Reading, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { baseUrlOf, type Configuration, isLoopback, privateHostsOf, type Settings } from "../../config/settings.ts";
import { createOutbound } from "../../integrations/outbound/guard.ts";
import { weightFiles } from "../../knowledge/meaning/weights.ts";
import { minute, rfc3339 } from "../../platform/clock.ts";
import { fail, type HealthCheck, ok, warn } from "../../platform/health-check.ts";
import { createLog } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { capabilities } from "../../products/capabilities/index.ts";
import { platformGate, readGates, withEngine } from "../../registry/registry.ts";
import type { EngineServices } from "../../registry/services.ts";
import { checkKeys, isServed, type Paths, pathsOf, readMasterKey, waitForServer } from "../installation.ts";
import { addressTrouble } from "../listener.ts";
import { hasDatabase, refuseLost } from "../lost-database.ts";
import { engineServices } from "../services.ts";
import { storageTrouble } from "../storage-trouble.ts";
import { access } from "./access.ts";
import { connectorChecks } from "./connectors.ts";
import { corpusChecks } from "./corpus.ts";
import { datasetChecks } from "./datasets.ts";
import { type Check, guarded } from "./guarded.ts";
import { meaningCheck } from "./meaning.ts";
import { modelChecks } from "./models.ts";
import { tlsChecks } from "./tls.ts";

const mebibyte = 2 ** 20;
/** Free space, in bytes, below which a backup or a busy hour may not fit; below `noSpace`, writes are about to fail. */
const littleSpace = 1_024 * mebibyte;
const noSpace = 64 * mebibyte;
/** Milliseconds after which overdue work is considered stuck, not queued. */
const overdueAfter = 10 * minute;

/** Checks that only the owner can read a path. */
function privacy(about: string, path: string, mode: string): HealthCheck {
  const others = statSync(path).mode & 0o077;
  return others === 0 ? ok(about, path) : warn(about, `other users can read ${path}`, `Run \`chmod ${mode} ${path}\`.`);
}

/** Checks that the address is free for `assay serve`. Not run while a server is using it. */
async function port(settings: Settings): Promise<HealthCheck> {
  const about = "port";
  const trouble = await addressTrouble(settings);
  // A warning, because the server may be started with flags that are not known here.
  return trouble
    ? warn(about, trouble.message, trouble.hint ?? "Use another.")
    : ok(about, `${settings.port} on ${settings.host}, free`);
}

function diskSpace(folder: string): HealthCheck {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  const free = bavail * bsize;
  const found = `${Math.floor(free / mebibyte)} MiB free`;
  if (free < noSpace) return fail("disk space", found, "Free some space: writes are about to fail.");
  return free < littleSpace
    ? warn("disk space", found, "Free some space before it runs out.")
    : ok("disk space", found);
}

function address(settings: Settings): HealthCheck {
  const url = baseUrlOf(settings);
  if (settings.base_url === undefined && !isLoopback(settings.host))
    return warn("public address", url, "Set base_url to the address that clients use: tokens and links contain it.");
  const isPlain = url.startsWith("http://") && !isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
  return isPlain
    ? warn("public address", url, "Run a TLS-terminating proxy in front of it, and set base_url to its https address.")
    : ok("public address", url);
}

/** Checks whether mail is sent, such as password resets and address confirmations. */
function mail({ mail_url }: Settings): HealthCheck {
  if (mail_url !== undefined) return ok("mail", "sent by SMTP");
  const advice =
    "Set mail_url, or pass on the messages of `assay admin mail list` and `show`: without it, you have to reset passwords.";
  return warn("mail", "not sent: messages wait in the outbox", advice);
}

function outgoing(settings: Settings): HealthCheck {
  const about = "outgoing requests";
  const hosts = ["public hosts", ...privateHostsOf(settings)].join(", ");
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].filter((name) =>
    [name, name.toLowerCase()].some((one) => process.env[one]),
  );
  if (proxies.length === 0) return ok(about, hosts);
  const advice = "Allow direct connections where they are needed: addresses can't be checked through a proxy.";
  return warn(about, `${hosts}; ${proxies.join(" and ")} not used`, advice);
}

/** Returns the master key, or what is wrong with its file. */
function masterKeyOf(
  settings: Settings,
  paths: Paths,
): { key?: Uint8Array | undefined; mistake?: string; hint?: string | undefined } {
  try {
    return { key: readMasterKey(settings, paths) };
  } catch (error) {
    const { message, hint } = storageTrouble(error, paths.masterKey) ?? {};
    return { mistake: message ?? (error instanceof Error ? error.message : String(error)), hint };
  }
}

async function signing(store: Reading, settings: Settings, paths: Paths): Promise<HealthCheck> {
  const about = "signing keys";
  const keys = await signingKeys(store.read);
  const { key, mistake, hint } = masterKeyOf(settings, paths);
  const isNeeded = keys.length > 0;
  if (mistake !== undefined)
    return fail(
      about,
      mistake,
      hint ??
        (isNeeded
          ? "Put back the master key that this installation was created with. The database is not at fault."
          : "Delete it: the first start creates one."),
    );
  if (!isNeeded) return ok(about, "none yet; the first start creates one");
  if (!key) return fail(about, `the master key is missing: ${paths.masterKey}`, "Put it back, or set master_key.");
  checkKeys(keys, key);
  return ok(about, `${keys.length}, readable with the master key`);
}

async function pending(runtime: Runtime, store: Reading, served: boolean): Promise<HealthCheck> {
  const about = "unfinished work";
  const effects = await allEffects(unscoped(store.read));
  const first = effects[0];
  if (!first) return ok(about, "none");
  const since = first.due_at > runtime.now() ? "at" : "since";
  const found = `${effects.length} pending, the first due ${since} ${rfc3339(first.due_at)}`;
  if (first.due_at > runtime.now() - overdueAfter) return ok(about, found);
  const advice = served ? "See the server's log for the reason." : "Start the server, which resumes it.";
  return warn(about, found, advice);
}

async function gates(
  runtime: Runtime,
  store: Reading,
  settings: Settings,
  paths: Paths,
  given: EngineServices | undefined,
): Promise<HealthCheck[]> {
  const open = await readGates(store.read);
  const platform = open.has(platformGate)
    ? ok("platform gate", "open")
    : warn("platform gate", "closed: nothing can be run", "Run `assay admin gates open platform` to allow runs.");
  const services =
    given ?? engineServices({ runtime, log: createLog(runtime, "error"), settings, db: store.read, paths });
  const engines = capabilities.map((definition) => {
    const { slug, engine } = withEngine(definition, services);
    const reason = engine.ready();
    const about = `capability ${slug}`;
    if (reason !== null) return warn(about, "can't be run", reason);
    return open.has(slug) ? ok(about, "open") : warn(about, "closed", `Run \`assay admin gates open ${slug}\`.`);
  });
  const connectors = await connectorChecks(store, services, masterKeyOf(settings, paths).key, open);
  return [platform, ...engines, ...connectors];
}

async function tenants(store: Reading): Promise<HealthCheck> {
  const firms = await allFirms(unscoped(store.read));
  return firms.length === 0 ? warn("firms", "none", "Run `assay init`.") : ok("firms", String(firms.length));
}

/** Runs the checks of a database that can be opened. */
async function database(
  runtime: Runtime,
  store: Reading,
  settings: Settings,
  paths: Paths,
  served: boolean,
  services?: EngineServices,
): Promise<readonly HealthCheck[]> {
  const { pending: lacking, unknown } = await migrationState(store);
  if (unknown.length > 0)
    return [
      fail("schema", `made by a newer version (${unknown.join(", ")})`, "Use that version, or restore a backup."),
    ];
  if (lacking.length > 0)
    return [
      fail(
        "schema",
        `lacks ${lacking.join(", ")}`,
        served ? waitForServer : "Run `assay migrate`; `assay serve` does it too.",
      ),
    ];
  const checks: readonly (readonly [string, Check])[] = [
    ["signing keys", () => signing(store, settings, paths)],
    ["firms", () => tenants(store)],
    ["unfinished work", () => pending(runtime, store, served)],
    ["insurance documents", () => corpusChecks(store, paths)],
    ["datasets", () => datasetChecks(store, paths)],
    ["gates", () => gates(runtime, store, settings, paths, services)],
  ];
  const found: HealthCheck[] = [ok("schema", "up to date")];
  for (const [about, check] of checks) found.push(...(await guarded(about, paths, check)));
  return found;
}

async function opened(runtime: Runtime, settings: Settings, paths: Paths, served: boolean) {
  refuseLost(paths);
  const store = openLook(paths.database);
  try {
    return await database(runtime, store, settings, paths, served);
  } finally {
    await store.close();
  }
}

/** What a running server has open. */
export interface Running {
  readonly store: Store;
  readonly services: EngineServices;
}

/** Checks whether a server runs on the folder (`served`; `undefined` if that is unknown) and, if not, the port. */
async function serverChecks(settings: Settings, paths: Paths, running: Running | undefined) {
  let served: boolean | undefined = running ? true : undefined;
  const checks = await guarded("server", paths, async () => {
    served ??= isServed(paths);
    return served
      ? [ok("server", "running")]
      : [ok("server", "not running"), ...(await guarded("port", paths, () => port(settings)))];
  });
  return { served, checks };
}

/** Runs the checks of the data folder. Throws the system's error if it can't be read. */
async function insideFolder(runtime: Runtime, settings: Settings, paths: Paths, running: Running | undefined) {
  const isThere = hasDatabase(paths);
  const { served, checks } = await serverChecks(settings, paths, running);
  if (!isThere)
    return [
      ...checks,
      ...(await guarded("database", paths, () => {
        refuseLost(paths);
        return warn("database", `none in ${paths.folder}`, "Run `assay init`, or name the right folder with --data.");
      })),
    ];
  return [
    privacy("data folder", paths.folder, "700"),
    privacy("database file", paths.database, "600"),
    ...(existsSync(paths.masterKey) ? [privacy("master key", paths.masterKey, "600")] : []),
    access(paths),
    ...checks,
    ...(await guarded("database", paths, () =>
      running
        ? database(runtime, running.store, settings, paths, true, running.services)
        : opened(runtime, settings, paths, served === true),
    )),
  ];
}

/**
 * Runs the health checks of an installation, for `assay doctor` or for a running server, which passes what it has open.
 * Changes and creates nothing.
 */
export async function checkInstallation(
  runtime: Runtime,
  { settings }: Configuration,
  running?: Running,
): Promise<HealthCheck[]> {
  const paths = pathsOf(settings);
  const models = await modelChecks(settings, createOutbound({ runtime, allow_private: privateHostsOf(settings) }));
  const outside = [
    address(settings),
    ...tlsChecks(settings, runtime.now()),
    outgoing(settings),
    mail(settings),
    ...models,
    meaningCheck(settings, { isBuiltIn: weightFiles !== null, available: process.availableMemory() }),
    ...(await guarded("disk space", paths, () => diskSpace(paths.folder))),
  ];
  const inside = await guarded("data folder", paths, () => insideFolder(runtime, settings, paths, running));
  return [...outside, ...inside];
}
