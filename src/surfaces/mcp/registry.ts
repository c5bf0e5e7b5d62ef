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

/** All tools of the installation, in the order of the listing. */
export interface ToolRegistry {
  /** Returns the tools that the caller can call now. */
  listed(caller: Caller): Tool[];
  /** Returns the tool of that name, if it exists for the caller. */
  find(name: string, caller: Caller): Tool | undefined;
  /** Returns the scopes that the caller lacks for the tool. */
  lacking(tool: Tool, caller: Caller): Scope[];
}

/** Indexes tools by name. The first of two tools with the same name wins. */
function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const known = new Map<string, Tool>();
  for (const tool of tools) if (!known.has(tool.name)) known.set(tool.name, tool);
  return known;
}

/** Services used by the groups of tools. */
export interface ToolServices
  extends ResourceServices,
    RunToolServices,
    RunsToolServices,
    JobToolServices,
    InsuranceToolServices,
    MarketToolServices,
    ValidatorToolServices,
    ArchitectToolServices {}

/** Creates the registry from all groups. A new group needs a module and a line here. */
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
  /** Rebuilt when a firm's private capability was added or removed. */
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
