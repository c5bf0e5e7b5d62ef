#!/usr/bin/env bun
import { join } from "node:path";
import { Settings, secretSettings, settingNames } from "../../src/config/settings.ts";

/** `bun run docs:settings` writes `docs/settings.md` from the schema; a test fails when the page says anything else. */

export const settingsPage = join(import.meta.dir, "..", "..", "docs", "settings.md");

/** Bars end a cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The page as it should be. */
export function settingsText(): string {
  const rows = settingNames.map((name) => {
    const { default: usual, description = "" } = Settings.properties[name];
    const secret = secretSettings.has(name) ? " (secret)" : "";
    return `| \`${name}\` | ${usual === undefined ? "" : `\`${usual}\``} | ${cell(description)}${secret} |`;
  });
  return `# Settings

Settings come from \`assay.toml\`, \`ASSAY_*\` variables and flags; later ones win. The file is \`assay.toml\` in the folder that
the command is started in, or the one that \`--config\` names:

\`\`\`toml
base_url = "https://assay.example.com"
port = 8787
access_log_level = "off"
\`\`\`

A variable is a setting's name in capitals behind \`ASSAY_\`, such as \`ASSAY_BASE_URL\`. \`assay serve\` has flags for the first
few, such as \`--base-url\`, and every command takes \`--data\`. A setting that does not exist, or a value that is not allowed, stops
the start with its name, its source and what is allowed. \`assay doctor\` shows each setting with its source, and never a secret.

| Setting | Default | What it takes |
| ------- | ------- | ------------- |
${rows.join("\n")}

This page is written by \`bun run docs:settings\` from the schema in \`src/config\`.
`;
}

if (import.meta.main) await Bun.write(settingsPage, settingsText());
