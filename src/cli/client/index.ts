import type { Command } from "commander";
import type { Io } from "../io.ts";
import { registerAccount } from "./account.ts";
import { registerApprovals } from "./approvals.ts";
import { registerArchitect } from "./architect.ts";
import { registerAsk } from "./ask.ts";
import { registerCatalogue } from "./catalogue.ts";
import { registerCheck } from "./check.ts";
import { registerIdentity } from "./identity.ts";
import { registerJobs } from "./jobs.ts";
import { registerMcp } from "./mcp.ts";
import { registerReceipt } from "./receipt.ts";
import { registerRun } from "./run.ts";
import { registerRuns } from "./runs.ts";
import { registerSignIn } from "./sign-in.ts";
import { registerValidate } from "./validate.ts";

/**
 * Registers the commands that talk to a server. A command that fails rejects with `CommandError`, which has its exit
 * code.
 */
export function registerClientCommands(program: Command, io: Io): void {
  registerSignIn(program, io);
  registerIdentity(program, io);
  registerCatalogue(program, io);
  registerRun(program, io);
  registerRuns(program, io);
  registerJobs(program, io);
  registerAsk(program, io);
  registerValidate(program, io);
  registerArchitect(program, io);
  registerApprovals(program, io);
  registerAccount(program, io);
  registerCheck(program, io);
  registerReceipt(program, io);
  registerMcp(program, io);
}
