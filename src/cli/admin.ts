import type { Command } from "commander";
import { registerAudienceCommands } from "./admin-audiences.ts";
import { registerAuditCommands } from "./admin-audit.ts";
import { registerConnectionCommands } from "./admin-connections.ts";
import { registerConnectorCommands } from "./admin-connectors.ts";
import { registerCorpusCommands } from "./admin-corpus.ts";
import { registerCreditCommands } from "./admin-credits.ts";
import { registerFirmCommands } from "./admin-firms.ts";
import { registerInvitationCommands } from "./admin-invitations.ts";
import { registerKeyCommands } from "./admin-keys.ts";
import { registerMailCommands } from "./admin-mail.ts";
import { registerPermissionCommands } from "./admin-permissions.ts";
import { registerQuotaCommands } from "./admin-quotas.ts";
import { registerSessionCommands } from "./admin-sessions.ts";
import { registerSigningKeyCommands } from "./admin-signing-keys.ts";
import { registerUserCommands } from "./admin-users.ts";
import type { Context } from "./context.ts";

/** `assay admin …`: local administration. A running server sees a change on its next request. */
export function register(program: Command, context: Context): void {
  const admin = program
    .command("admin")
    .description("Administer firms, users, keys, credits and gates on this machine");
  registerFirmCommands(admin, context);
  registerUserCommands(admin, context);
  registerInvitationCommands(admin, context);
  registerSessionCommands(admin, context);
  registerKeyCommands(admin, context);
  registerConnectionCommands(admin, context);
  registerCreditCommands(admin, context);
  registerPermissionCommands(admin, context);
  registerQuotaCommands(admin, context);
  registerConnectorCommands(admin, context);
  registerAuditCommands(admin, context);
  registerMailCommands(admin, context);
  registerSigningKeyCommands(admin, context);
  registerCorpusCommands(admin, context);
  registerAudienceCommands(admin, context);
}
