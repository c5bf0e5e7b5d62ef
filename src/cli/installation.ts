import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { signingKeys } from "../../db/queries/signing-keys.ts";
import type { SigningKeyTable } from "../../db/schema/tables.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { type Lock, takeLock } from "../../db/sqlite/lock.ts";
import { migrationState } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { baseUrlOf, type Configuration, type Settings } from "../config/settings.ts";
import { checkSigningKeys, type Keyring, openKeyring } from "../identity/keyring.ts";
import { isDraft, keepPrivate, makeFolderDurably, own, ownDurably, writeDurably } from "../platform/files.ts";
import type { Runtime } from "../platform/runtime.ts";
import { CommandError } from "./io.ts";
import { hasDatabase, refuseLost } from "./lost-database.ts";
import { explainingStorage, storageTrouble } from "./storage-trouble.ts";

/** Where an installation keeps what it has. */
export interface Paths {
  readonly folder: string;
  readonly database: string;
  readonly masterKey: string;
  readonly lock: string;
  /** What a running server tells the other commands of itself. */
  readonly server: string;
  /** The search index of the insurance documents, derived from the database. */
  readonly insuranceIndex: string;
  /** The rows of imported datasets, a file a table. */
  readonly datasets: string;
  /** Documents that were sent to the server, until they are imported. */
  readonly uploads: string;
  /** Where backups lie that nobody named a place for. */
  readonly backups: string;
  /** Held by whoever imports. */
  readonly importLock: string;
  /** Marks a folder that `serve --demo` made. */
  readonly demo: string;
}

/** Where the files of an installation are, as absolute paths. Nothing is opened. */
export function pathsOf(settings: Pick<Settings, "data">): Paths {
  const folder = resolve(settings.data);
  return {
    folder,
    database: join(folder, "assay.db"),
    masterKey: join(folder, "master.key"),
    lock: join(folder, "assay.lock"),
    server: join(folder, "server.json"),
    insuranceIndex: join(folder, "insurance.index"),
    datasets: join(folder, "datasets"),
    uploads: join(folder, "uploads"),
    backups: join(folder, "backups"),
    importLock: join(folder, "import.lock"),
    demo: join(folder, ".assay-demo"),
  };
}

/** Makes the data folder, for its owner alone. */
export async function makeFolder({ folder }: Paths): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) await makeFolderDurably(folder, 0o700);
}

/** Whether nothing was ever finished in the folder, or there is none. */
export const isEmptyFolder = ({ folder }: Paths): boolean => !existsSync(folder) || readdirSync(folder).every(isDraft);

/** Milliseconds: longer than another command needs to look whether a server runs. */
const glance = 250;

/** Throws `CommandError` (exit 1), which names the lock's file, where that can't be used. */
function explainingLock<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageTrouble(error, file) ?? error;
  }
}

/** Takes a lock, making its file. Throws as `explainingLock` does. */
export const takeLockOf = (file: string, waitMs: number): Lock | undefined =>
  explainingLock(file, () => {
    own(file);
    return takeLock(file, waitMs);
  });

/** Takes the installation for this process alone; exit 1 when a server runs on it. */
export function lockInstallation(paths: Paths): Lock {
  ownDurably(paths.lock);
  const lock = takeLockOf(paths.lock, glance);
  if (!lock)
    throw new CommandError(1, `a server is running on ${paths.folder}`, "Stop it first, or name another --data.");
  return lock;
}

/** Whether a server runs on the folder. Throws `CommandError` (exit 1) where that can't be found out. */
export function isServed(paths: Paths): boolean {
  if (!existsSync(paths.lock)) return false;
  const lock = explainingLock(paths.lock, () => takeLock(paths.lock, 0));
  lock?.release();
  return lock === undefined;
}

/** Tells the other commands where the server listens, until the returned function is called. */
export async function announceServer(paths: Paths, baseUrl: string): Promise<() => void> {
  await writeDurably(paths.server, `${JSON.stringify({ base_url: baseUrl, pid: process.pid })}\n`, { mode: 0o600 });
  return () => rmSync(paths.server, { force: true });
}

/** The public address: as configured; else that of the server running on the folder; else the default's. */
export function publicAddress({ settings, sources }: Configuration, paths: Paths): string {
  const isOpen = sources.base_url === "default" && sources.host === "default" && sources.port === "default";
  if (!isOpen || !existsSync(paths.server) || !isServed(paths)) return baseUrlOf(settings);
  const told: unknown = JSON.parse(readFileSync(paths.server, "utf8"));
  const known = typeof told === "object" && told !== null && "base_url" in told ? told.base_url : undefined;
  return typeof known === "string" ? known : baseUrlOf(settings);
}

function keyBytes(text: string, source: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== 32)
    throw new CommandError(
      1,
      `the master key in ${source} is not 32 bytes in base64`,
      "Put back the master key that this installation was made with; before a first start, delete it.",
    );
  return bytes;
}

/** The master key, from the configuration or the data folder; undefined when there is none yet. */
export function readMasterKey(settings: Settings, paths: Paths): Uint8Array | undefined {
  if (settings.master_key !== undefined) return keyBytes(settings.master_key, "master_key");
  return existsSync(paths.masterKey) ? keyBytes(readFileSync(paths.masterKey, "utf8"), paths.masterKey) : undefined;
}

/**
 * The master key, made at the first start and on disk before it is used. One that is lost is not replaced: what it
 * encrypted would be lost too.
 */
export async function ensureMasterKey(
  runtime: Pick<Runtime, "randomBytes">,
  settings: Settings,
  paths: Paths,
  store: Store,
): Promise<Uint8Array> {
  const known = readMasterKey(settings, paths);
  if (known) return known;
  if ((await signingKeys(store.read)).length > 0)
    throw new CommandError(
      1,
      `the master key is missing: ${paths.masterKey}`,
      "Put it back from where you keep it, or set master_key. A new one can't read the signing keys.",
    );
  const bytes = runtime.randomBytes(32);
  const text = `${Buffer.from(bytes).toString("base64")}\n`;
  await writeDurably(paths.masterKey, text, { mode: 0o600, replace: false });
  return bytes;
}

const unreadableKeys = (cause: unknown): CommandError =>
  new CommandError(
    1,
    `the signing keys can't be read with this master key (${cause instanceof Error ? cause.message : "unknown"})`,
    "Put back the master key that this installation was made with.",
  );

/** Opens the signing keys; exit 1 when the master key is another installation's. */
export async function openKeys(
  runtime: Runtime,
  store: Store,
  masterKey: Uint8Array,
  baseUrl: string,
): Promise<Keyring> {
  try {
    return await openKeyring(store, masterKey, baseUrl, runtime);
  } catch (cause) {
    throw unreadableKeys(cause);
  }
}

/** Only looks whether the master key opens the signing keys; exit 1 when it is another installation's. */
export function checkKeys(rows: readonly SigningKeyTable[], masterKey: Uint8Array): void {
  try {
    checkSigningKeys(rows, masterKey);
  } catch (cause) {
    throw unreadableKeys(cause);
  }
}

/** The files that SQLite keeps of the database. */
export const databaseFiles = ({ database }: Paths): string[] => ["", "-wal", "-shm"].map((suffix) => database + suffix);

/** Takes what an installation keeps from everybody but its owner, whatever the folder's permissions are and no matter who made the files. */
function keepFilesPrivate(paths: Paths): void {
  const { folder: _, ...files } = paths;
  for (const file of [...Object.values(files), ...databaseFiles(paths)]) keepPrivate(file);
}

/**
 * Opens the database of a process that holds the installation's lock, making it where there was never one. Its name, the
 * folder's other names and its privacy are on disk before anything is written to it. Throws as `refuseLost` does.
 */
export function openInstallation(paths: Paths, open: (file: string) => Store = openStore): Store {
  refuseLost(paths);
  ownDurably(paths.database);
  keepFilesPrivate(paths);
  return open(paths.database);
}

/** Refuses a database that a newer version has changed. */
export async function refuseNewer(store: Store): Promise<void> {
  const { unknown } = await migrationState(store);
  if (unknown.length > 0)
    throw new CommandError(
      1,
      `the database was made by a newer version (it has ${unknown.join(", ")})`,
      "Use that version, or restore a backup that this one made.",
    );
}

async function refuseUnready(store: Store, paths: Paths): Promise<void> {
  await refuseNewer(store);
  const { pending } = await migrationState(store);
  if (pending.length > 0)
    throw new CommandError(1, `the database of ${paths.folder} lacks ${pending.join(", ")}`, "Run `assay migrate`.");
}

/** Runs a command's work on an installation that is there and up to date, beside a running server or without one. */
export function withStore<T>(paths: Paths, work: (store: Store) => Promise<T>): Promise<T> {
  return explainingStorage(paths, () => withOpened(paths, work));
}

async function withOpened<T>(paths: Paths, work: (store: Store) => Promise<T>): Promise<T> {
  refuseLost(paths);
  if (!hasDatabase(paths))
    throw new CommandError(1, `there is no installation in ${paths.folder}`, "Run `assay init`, or name its --data.");
  keepFilesPrivate(paths);
  const store = openStore(paths.database);
  try {
    await refuseUnready(store, paths);
    return await work(store);
  } finally {
    await store.close();
  }
}
