import type { Scope } from "../../contracts/scopes.ts";
import type { Docs } from "../docs/service.ts";
import type { ResourceServices } from "./resources.ts";
import type { Caller, Tool } from "./tool.ts";
import { type ArchitectToolServices, architectTools } from "./tools-architect.ts";
import { capabilityTools, type RunToolServices } from "./tools-capabilities.ts";
import { docsTools } from "./tools-docs.ts";
import { type InsuranceToolServices, insuranceTools } from "./tools-insurance.ts";
import { type JobToolServices, jobTools } from "./tools-jobs.ts";
import { type MarketToolServices, marketTools } from "./tools-market.ts";
import { type RunsToolServices, runsTools } from "./tools-runs.ts";
import { type ValidatorToolServices, validatorTools } from "./tools-validator.ts";

/** Every tool of the installation, in the order in which they are listed. */
export interface ToolRegistry {
  /** What the caller may call now. */
  listed(caller: Caller): Tool[];
  /** The tool of that name, where there is one for the caller. */
  find(name: string, caller: Caller): Tool | undefined;
  /** Scopes that the caller lacks for the tool. */
  lacking(tool: Tool, caller: Caller): Scope[];
}

/** Of two tools with one name the first counts. */
function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const known = new Map<string, Tool>();
  for (const tool of tools) if (!known.has(tool.name)) known.set(tool.name, tool);
  return known;
}

/** What the groups of tools work with. */
export interface ToolServices
  extends ResourceServices,
    RunToolServices,
    RunsToolServices,
    JobToolServices,
    InsuranceToolServices,
    MarketToolServices,
    ValidatorToolServices,
    ArchitectToolServices {}

/** The groups one behind the other. A new group is a module and a line here. */
export function createToolRegistry(services: ToolServices, docs: Docs): ToolRegistry {
  const made = () =>
    byName([
      ...docsTools(services, docs),
      ...insuranceTools(services),
      ...jobTools(services),
      ...marketTools(services),
      ...validatorTools(services),
      ...capabilityTools(services),
      ...runsTools(services),
      ...architectTools(services),
    ]);
  /** Made again when what is private to a firm has come or gone. */
  let known = { revision: -1, tools: byName([]) };
  const tools = () => {
    const revision = services.registry.revision();
    if (known.revision !== revision) known = { revision, tools: made() };
    return known.tools;
  };
  const exists = (tool: Tool, caller: Caller) => tool.exists?.(caller) ?? true;
  const lacking = (tool: Tool, { principal }: Caller) => tool.scopes.filter((scope) => !principal.scopes.has(scope));

  return {
    lacking,
    listed: (caller) =>
      [...tools().values()].filter(
        (tool) => lacking(tool, caller).length === 0 && exists(tool, caller) && (tool.offered?.(caller) ?? true),
      ),
    find(name, caller) {
      const tool = tools().get(name);
      return tool && exists(tool, caller) ? tool : undefined;
    },
  };
}
