import { isAbsolute, resolve } from "node:path";
import type { Configuration } from "../config/settings.ts";
import { CommandError } from "./io.ts";

export interface UnitOptions {
  readonly configuration: Configuration;
  /** The program and what starts it, as absolute paths. */
  readonly command: readonly string[];
  readonly name: string;
  /** A unit of the person's own service manager instead of the system's. */
  readonly isUser: boolean;
  /** The user that it runs as; absent: one that systemd makes up for it. */
  readonly runAs: string | undefined;
}

const stateHome = "/var/lib/";
/** Where settings of a unit are variables. */
export const environmentFile = (name: string, isUser: boolean): string =>
  `${isUser ? "%E" : "/etc"}/${name}/${name}.env`;

/** systemd's own quoting, for words with blanks or signs that mean something to it. */
const quoted = (word: string): string =>
  /^[\w./:@+=,-]+$/.test(word) ? word : `"${word.replace(/[\\"]/g, "\\$&").replace(/[%$]/g, "$&$&")}"`;

/** Where the data is: in systemd's place for it unless the operator has named a folder. */
function dataOf({ configuration: { settings, sources }, name, isUser }: UnitOptions): string {
  return sources.data === "default" && !isUser ? stateHome + name : resolve(settings.data);
}

/** Whose the data is. A user that systemd makes up can own nothing but its state folder. */
function ownership(options: UnitOptions, data: string): string[] {
  const { name, isUser, runAs } = options;
  if (isUser) return [];
  if (runAs !== undefined) return [`User=${runAs}`, `ReadWritePaths=${quoted(data)}`];
  if (data !== stateHome + name)
    throw new CommandError(
      2,
      `${data} can't belong to a user that systemd makes up`,
      `Leave --data out (${stateHome}${name} is used), or name the folder's owner with --run-as.`,
    );
  return ["DynamicUser=yes", `StateDirectory=${name}`, "StateDirectoryMode=0700"];
}

/** A unit starts in the root folder: a file beside `assay.toml` would not be found there. */
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

/** Whether the path is in somebody's home, which a unit of the system's sees nothing of unless it is told to. */
export const isInHome = (path: string): boolean => /^\/(home|root|run\/user)\//.test(path);

/** The settings that are read here are read there. */
const configOf = ({ file }: Configuration): string[] => (file === undefined ? [] : ["--config", resolve(file)]);

/** What a service needs of the machine, and no more. No `MemoryDenyWriteExecute`: the code is compiled as it runs. */
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

/** Ports below 1024 need one capability; nothing else does. */
function capabilities(port: number): string[] {
  const needed = port > 0 && port < 1_024 ? "CAP_NET_BIND_SERVICE" : "";
  return [`CapabilityBoundingSet=${needed}`, `AmbientCapabilities=${needed}`];
}

/** The unit file. It restarts what was killed or ended itself, but nothing whose settings are wrong. Exit 2 for settings that it can't have. */
export function unitText(options: UnitOptions): string {
  const { configuration, command, name, isUser } = options;
  checkPaths(configuration);
  const { port, shutdown_grace_seconds: grace } = configuration.settings;
  const data = dataOf(options);
  const words = [...command, "serve", "--data", data, ...configOf(configuration)];
  // No other line opens what is hidden; a data folder there can be opened for writing where it is only protected.
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
    // A renewed certificate is taken.
    "ExecReload=/bin/kill -HUP $MAINPID",
    // Settings as ASSAY_… variables: secrets too, since only systemd has to read the file.
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
