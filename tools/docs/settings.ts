#!/usr/bin/env bun
import { join } from "node:path";
import { Settings, secretSettings, settingNames } from "../../src/config/settings.ts";

/** `bun run docs:settings` writes `docs/settings.md` from the schema; a test fails when the page says anything else. */

export const settingsPage = join(import.meta.dir, "..", "..", "docs", "settings.md");

/** Bars end a cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The flags that `assay serve` takes for settings, as its own help lists them, and the one that every command takes. */
function serveFlags(): Set<string> {
  const main = join(import.meta.dir, "..", "..", "src", "main.ts");
  const { stdout } = Bun.spawnSync([process.execPath, main, "serve", "--help"], { env: { NO_COLOR: "1" } });
  return new Set(["--data", ...(stdout.toString().match(/--[a-z-]+/g) ?? [])]);
}

/** The page as it should be. */
export function settingsText(): string {
  const flags = serveFlags();
  const rows = settingNames.map((name) => {
    const { default: usual, description = "" } = Settings.properties[name];
    const secret = secretSettings.has(name) ? " (secret)" : "";
    const flag = `--${name.replaceAll("_", "-")}`;
    const cells = [
      `\`${name}\``,
      `\`ASSAY_${name.toUpperCase()}\``,
      flags.has(flag) ? `\`${flag}\`` : "",
      usual === undefined ? "" : `\`${usual}\``,
      `${cell(description)}${secret}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `# Settings

Settings come from \`assay.toml\`, \`ASSAY_*\` variables and flags; later ones win. The file is \`assay.toml\` in the folder that
the command is started in, or the one that \`--config\` names:

\`\`\`toml
base_url = "https://assay.example.com"
port = 8787
access_log_level = "off"
\`\`\`

Every command takes \`--data\`, \`assay serve\` the other flags too. A setting that does not exist, or a value that is not allowed, stops
the start with its name, its source and what is allowed. \`assay doctor\` shows each setting with its source, and never a secret.

| Setting | Variable | Flag | Default | What it takes |
| ------- | -------- | ---- | ------- | ------------- |
${rows.join("\n")}

This page is written by \`bun run docs:settings\` from the schema in \`src/config\`.
`;
}

if (import.meta.main) await Bun.write(settingsPage, settingsText());
