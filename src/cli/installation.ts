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

/** Absolute paths of an installation's files. */
export interface Paths {
  readonly folder: string;
  readonly database: string;
  readonly masterKey: string;
  readonly lock: string;
  /** The address and process id of a running server, for the other commands. */
  readonly server: string;
  /** The search index of the insurance documents, derived from the database. */
  readonly insuranceIndex: string;
  /** Rows of the imported datasets, one file per table. */
  readonly datasets: string;
  /** Documents that were uploaded to the server and are not imported yet. */
  readonly uploads: string;
  /** Backups made by the server, and before migrations. */
  readonly backups: string;
  /** Lock held during an import. */
  readonly importLock: string;
  /** Marker file of a folder that `serve --demo` created. */
  readonly demo: string;
}

/** Returns the paths of an installation's files. Opens nothing. */
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

/** Creates the data folder, accessible only to its owner. */
export async function makeFolder({ folder }: Paths): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) await makeFolderDurably(folder, 0o700);
}

/** Returns whether the folder does not exist or holds nothing but drafts. */
export const isEmptyFolder = ({ folder }: Paths): boolean => !existsSync(folder) || readdirSync(folder).every(isDraft);

/** How long to wait for a lock, in milliseconds: longer than another command needs to check whether a server runs. */
const glance = 250;

/** Runs `work`. If the lock's file can't be used, throws exit 1 with its name. */
function explainingLock<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storageTrouble(error, file) ?? error;
  }
}

/** Takes a lock, creating its file; `undefined` if still held after `waitMs`. Throws as `explainingLock` does. */
export const takeLockOf = (file: string, waitMs: number): Lock | undefined =>
  explainingLock(file, () => {
    own(file);
    return takeLock(file, waitMs);
  });

/** Takes the installation's lock. Throws exit 1 if a server is running on it. */
export function lockInstallation(paths: Paths): Lock {
  ownDurably(paths.lock);
  const lock = takeLockOf(paths.lock, glance);
  if (!lock)
    throw new CommandError(
      1,
      `a server is running on ${paths.folder}`,
      "Stop it first, or name another folder with --data.",
    );
  return lock;
}

/** Returns whether a server is running on the folder. Throws exit 1 if that can't be determined. */
export function isServed(paths: Paths): boolean {
  if (!existsSync(paths.lock)) return false;
  const lock = explainingLock(paths.lock, () => takeLock(paths.lock, 0));
  lock?.release();
  return lock === undefined;
}

/** Publishes the server's address for the other commands, until the returned function is called. */
export async function announceServer(paths: Paths, baseUrl: string): Promise<() => void> {
  await writeDurably(paths.server, `${JSON.stringify({ base_url: baseUrl, pid: process.pid })}\n`, { mode: 0o600 });
  return () => rmSync(paths.server, { force: true });
}

/** Returns the public address: as configured, else that of the server running on the folder, else the default. */
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
      "Put back the master key that this installation was created with; before a first start, delete it.",
    );
  return bytes;
}

/** Returns the master key from the configuration or the data folder; `undefined` if there is none yet. */
export function readMasterKey(settings: Settings, paths: Paths): Uint8Array | undefined {
  if (settings.master_key !== undefined) return keyBytes(settings.master_key, "master_key");
  return existsSync(paths.masterKey) ? keyBytes(readFileSync(paths.masterKey, "utf8"), paths.masterKey) : undefined;
}

/**
 * Returns the master key, creating it at the first start and syncing it to disk before use. Throws exit 1 if it is
 * lost: a new key could not decrypt what the old one encrypted.
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
      "Restore it from your copy, or set master_key. A new key can't decrypt the signing keys.",
    );
  const bytes = runtime.randomBytes(32);
  const text = `${Buffer.from(bytes).toString("base64")}\n`;
  await writeDurably(paths.masterKey, text, { mode: 0o600, replace: false });
  return bytes;
}

const unreadableKeys = (cause: unknown): CommandError =>
  new CommandError(
    1,
    `the signing keys can't be decrypted with this master key (${cause instanceof Error ? cause.message : "unknown"})`,
    "Put back the master key that this installation was created with.",
  );

/** Opens the signing keys. Throws exit 1 if the master key is another installation's. */
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

/** Checks that the master key decrypts the signing keys. Throws exit 1 if it is another installation's. */
export function checkKeys(rows: readonly SigningKeyTable[], masterKey: Uint8Array): void {
  try {
    checkSigningKeys(rows, masterKey);
  } catch (cause) {
    throw unreadableKeys(cause);
  }
}

/** Returns the paths of SQLite's files. */
export const databaseFiles = ({ database }: Paths): string[] => ["", "-wal", "-shm"].map((suffix) => database + suffix);

/** Restricts all files to their owner, regardless of the folder's permissions and of which user created them. */
function keepFilesPrivate(paths: Paths): void {
  const { folder: _, ...files } = paths;
  for (const file of [...Object.values(files), ...databaseFiles(paths)]) keepPrivate(file);
}

/**
 * Opens the database, creating it in a new installation. The process must hold the installation's lock. The folder's
 * entries and the file's permissions are synced before anything is written. Throws as `refuseLost` does.
 */
export function openInstallation(paths: Paths, open: (file: string) => Store = openStore): Store {
  refuseLost(paths);
  ownDurably(paths.database);
  keepFilesPrivate(paths);
  return open(paths.database);
}

/** Throws exit 1 if a newer version has migrated the database. */
export async function refuseNewer(store: Store): Promise<void> {
  const { unknown } = await migrationState(store);
  if (unknown.length > 0)
    throw new CommandError(
      1,
      `the database was made by a newer version (it has ${unknown.join(", ")})`,
      "Use that version, or restore a backup made by this one.",
    );
}

/** Advice for a database that lacks migrations while a server runs on it. The server may be of the previous version. */
export const waitForServer =
  "A server is running on it. If it has just started, wait until it has migrated the database; otherwise stop it, then run `assay migrate`.";

async function refuseUnready(store: Store, paths: Paths): Promise<void> {
  await refuseNewer(store);
  const { pending } = await migrationState(store);
  if (pending.length === 0) return;
  const advice = isServed(paths) ? waitForServer : "Run `assay migrate`.";
  throw new CommandError(1, `the database of ${paths.folder} lacks ${pending.join(", ")}`, advice);
}

/** Runs a command's work on an existing, up-to-date installation, whether or not a server is running. */
export function withStore<T>(paths: Paths, work: (store: Store) => Promise<T>): Promise<T> {
  return explainingStorage(paths, () => withOpened(paths, work));
}

async function withOpened<T>(paths: Paths, work: (store: Store) => Promise<T>): Promise<T> {
  refuseLost(paths);
  if (!hasDatabase(paths))
    throw new CommandError(
      1,
      `there is no installation in ${paths.folder}`,
      "Run `assay init`, or name its folder with --data.",
    );
  keepFilesPrivate(paths);
  const store = openStore(paths.database);
  try {
    await refuseUnready(store, paths);
    return await work(store);
  } finally {
    await store.close();
  }
}
