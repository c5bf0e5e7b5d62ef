import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Io } from "../io.ts";
import { homeOf } from "./store.ts";

/** The files in which MCP clients list their servers, and the form of an entry. */

export type ScopeName = "user" | "project";

/** What a file's place depends on: the environment, the platform and, for a project's file, the folder. */
export interface Place {
  readonly env: Io["env"];
  readonly platform: NodeJS.Platform;
  readonly folder: string;
}

/** How a client reaches the server: over HTTP, or through a program that it starts. */
export type Connection =
  | { readonly url: string }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

export interface McpClient {
  readonly label: string;
  /** The member of the file that holds the servers. */
  readonly section: "mcpServers" | "servers";
  /** Whether its file can name an HTTP server to which it signs in by OAuth. */
  readonly http: boolean;
  readonly scopes: readonly ScopeName[];
  /** Returns the file's path; `undefined` if there is none on this system or the home folder is unknown. */
  path(place: Place, scope: ScopeName): string | undefined;
  entry(connection: Connection): Readonly<Record<string, unknown>>;
  /** Tells the user what to do next. */
  readonly next: string;
}

const joined = ({ platform }: Place, base: string | undefined, ...parts: readonly string[]): string | undefined =>
  base ? (platform === "win32" ? win32 : posix).join(base, ...parts) : undefined;

/** Returns the folder for settings: Roaming on Windows, Application Support on macOS, XDG's elsewhere. */
function settingsFolder(place: Place): string | undefined {
  const { env, platform } = place;
  const home = homeOf(env);
  if (platform === "win32") return env.APPDATA || joined(place, home, "AppData", "Roaming");
  if (platform === "darwin") return joined(place, home, "Library", "Application Support");
  return env.XDG_CONFIG_HOME?.startsWith("/") ? env.XDG_CONFIG_HOME : joined(place, home, ".config");
}

export const mcpClients: Readonly<Record<"claude-code" | "claude-desktop" | "cursor" | "vscode", McpClient>> = {
  "claude-code": {
    label: "Claude Code",
    section: "mcpServers",
    http: true,
    scopes: ["user", "project"],
    path: (place, scope) =>
      scope === "project"
        ? joined(place, place.folder, ".mcp.json")
        : joined(place, place.env.CLAUDE_CONFIG_DIR || homeOf(place.env), ".claude.json"),
    entry: (connection) => ({ type: "url" in connection ? "http" : "stdio", ...connection }),
    next: "In Claude Code, type /mcp to see it and to sign in.",
  },
  "claude-desktop": {
    label: "Claude Desktop",
    section: "mcpServers",
    http: false,
    scopes: ["user"],
    path: (place) => joined(place, settingsFolder(place), "Claude", "claude_desktop_config.json"),
    entry: (connection) => ({ ...connection }),
    next: "Quit Claude Desktop completely and start it again.",
  },
  cursor: {
    label: "Cursor",
    section: "mcpServers",
    http: true,
    scopes: ["user", "project"],
    path: (place, scope) =>
      joined(place, scope === "project" ? place.folder : homeOf(place.env), ".cursor", "mcp.json"),
    entry: (connection) => ({ ...connection }),
    next: "In Cursor's settings, under MCP, switch it on and sign in.",
  },
  vscode: {
    label: "VS Code",
    section: "servers",
    http: true,
    scopes: ["user", "project"],
    path: (place, scope) =>
      scope === "project"
        ? joined(place, place.folder, ".vscode", "mcp.json")
        : joined(place, settingsFolder(place), "Code", "User", "mcp.json"),
    entry: (connection) => ({ type: "url" in connection ? "http" : "stdio", ...connection }),
    next: "In VS Code, run the command MCP: List Servers, and start it.",
  },
};

export type McpClientName = keyof typeof mcpClients;
export const mcpClientNames = Object.keys(mcpClients) as McpClientName[];

/** Returns the clients that have been used here, by their file or by a folder that only they use. */
export function foundClients(place: Place): McpClientName[] {
  const { dirname } = place.platform === "win32" ? win32 : posix;
  return mcpClientNames.filter((name) => {
    const path = mcpClients[name].path(place, "user");
    if (path === undefined) return false;
    return existsSync(path) || (name !== "claude-code" && existsSync(dirname(path)));
  });
}
