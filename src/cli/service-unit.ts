import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Configuration } from "../config/settings.ts";
import { CommandError } from "./io.ts";

export interface UnitOptions {
  readonly configuration: Configuration;
  /** The program and, when run from source, its script, as absolute paths. */
  readonly command: readonly string[];
  readonly name: string;
  /** Whether it is a unit of the user's own service manager, not the system's. */
  readonly isUser: boolean;
  /** User that the service runs as. Absent: a dynamic user of systemd. */
  readonly runAs: string | undefined;
}

const stateHome = "/var/lib";

/**
 * Returns the file of a system service's variables, by its data folder; `undefined` for any other folder. Commands in a
 * terminal read it only if they are told to.
 */
export const environmentOf = (folder: string): string | undefined =>
  dirname(folder) === stateHome ? environmentFile(basename(folder), false) : undefined;

/** Returns the file that sets a unit's environment variables. */
export const environmentFile = (name: string, isUser: boolean): string =>
  `${isUser ? "%E" : "/etc"}/${name}/${name}.env`;

/** Quotes a word that has blanks or special characters, as systemd does. */
const quoted = (word: string): string =>
  /^[\w./:@+=,-]+$/.test(word) ? word : `"${word.replace(/[\\"]/g, "\\$&").replace(/[%$]/g, "$&$&")}"`;

/** Returns the data folder: systemd's state directory unless the operator has named a folder. */
export function dataOf({ configuration: { settings, sources }, name, isUser }: UnitOptions): string {
  return sources.data === "default" && !isUser ? join(stateHome, name) : resolve(settings.data);
}

/** Returns the directives for the data's owner. A dynamic user can own nothing but its state directory. */
function ownership(options: UnitOptions, data: string): string[] {
  const { name, isUser, runAs } = options;
  if (isUser) return [];
  if (runAs !== undefined) return [`User=${runAs}`, `ReadWritePaths=${quoted(data)}`];
  if (data !== join(stateHome, name))
    throw new CommandError(
      2,
      `a dynamic user of systemd can't own ${data}`,
      `Leave out --data to use ${join(stateHome, name)}, or name the folder's owner with --run-as.`,
    );
  return ["DynamicUser=yes", `StateDirectory=${name}`, "StateDirectoryMode=0700"];
}

/** Throws exit 2 for relative TLS paths: a unit starts in the root folder and would not find them. */
function checkPaths({ settings, sources }: Configuration): void {
  for (const name of ["tls_cert", "tls_key"] as const) {
    const path = settings[name];
    if (path !== undefined && !isAbsolute(path))
      throw new CommandError(
        2,
        `${name} (from ${sources[name]}) must be an absolute path for a service`,
        `For example ${resolve(path)}`,
      );
  }
}

/** Returns whether a path is in a home folder, which is hidden from a system unit by default. */
export const isInHome = (path: string): boolean => /^\/(home|root|run\/user)\//.test(path);

/** Passes the configuration file in use here to the service. */
const configOf = ({ file }: Configuration): string[] => (file === undefined ? [] : ["--config", resolve(file)]);

/** Sandbox directives of a system unit. `MemoryDenyWriteExecute` is missing because the code is compiled as it runs. */
const system = [
  "ProtectSystem=strict",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "RestrictNamespaces=yes",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
];
const everywhere = [
  "NoNewPrivileges=yes",
  "UMask=0077",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
  "SystemCallArchitectures=native",
];

/** Returns the capability directives. Only ports below 1024 need a capability. */
function capabilities(port: number): string[] {
  const needed = port > 0 && port < 1_024 ? "CAP_NET_BIND_SERVICE" : "";
  return [`CapabilityBoundingSet=${needed}`, `AmbientCapabilities=${needed}`];
}

/** Returns the unit file. It restarts after failures but not invalid settings. Throws exit 2 for unusable settings. */
export function unitText(options: UnitOptions): string {
  const { configuration, command, name, isUser } = options;
  checkPaths(configuration);
  const { port, shutdown_grace_seconds: grace } = configuration.settings;
  const data = dataOf(options);
  const words = [...command, "serve", "--data", data, ...configOf(configuration)];
  // Hidden folders can't be reopened, but ReadWritePaths makes a data folder in a read-only home writable.
  const home = words.some(isInHome) ? "read-only" : "yes";
  const lines = [
    "[Unit]",
    "Description=Assay",
    "After=network-online.target",
    "Wants=network-online.target",
    "StartLimitIntervalSec=60",
    "StartLimitBurst=10",
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${words.map(quoted).join(" ")}`,
    // Reloads the certificate.
    "ExecReload=/bin/kill -HUP $MAINPID",
    // Settings as ASSAY_… variables, including secrets, since only systemd has to read the file.
    `EnvironmentFile=-${environmentFile(name, isUser)}`,
    "Restart=on-failure",
    "RestartSec=1",
    "RestartPreventExitStatus=2",
    `TimeoutStopSec=${grace + 10}`,
    ...ownership(options, data),
    ...everywhere,
    ...(isUser ? [] : [`ProtectHome=${home}`, ...system, ...capabilities(port)]),
    "",
    "[Install]",
    `WantedBy=${isUser ? "default" : "multi-user"}.target`,
  ];
  return `${lines.join("\n")}\n`;
}
