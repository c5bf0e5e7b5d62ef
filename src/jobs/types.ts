import type { TSchema } from "@sinclair/typebox";
import type { JobTypeName } from "../../db/schema/job-tables.ts";
import type { CapabilityManifest } from "../registry/contract.ts";
import type { Registry } from "../registry/registry.ts";
import { GermanyEnrichment } from "./schema.ts";

/** What the sorts of jobs differ in. */
export interface JobType {
  /** Its gate, readiness and entitlements decide whether a job is taken; its engine carries it out, unless it has its own. */
  readonly capability: string;
  /** An engine of its own, and what that answers. */
  readonly own?: { readonly engine: string; readonly output_schema: TSchema };
  /** Everybody in the firm who may read such jobs sees all of the workspace's; else only the user who asked for it. */
  readonly isShared?: true;
  /** Where its polling view is. */
  readonly path: (id: string) => string;
}

/** The sorts of jobs that this release takes. */
export const jobTypes: Readonly<Partial<Record<JobTypeName, JobType>>> = {
  "company.analyze_url": { capability: "company-intelligence", path: (id) => `/v1/jobs/${id}` },
  "germany.enrich": {
    capability: "germany-market-intelligence",
    own: { engine: "germany-enrichment", output_schema: GermanyEnrichment },
    isShared: true,
    path: (id) => `/v1/market-intelligence/de/enrichments/${id}`,
  },
};

/**
 * What `jobs:read` alone lists and polls, over REST and MCP. Any other sort has a polling view of its own, which asks for
 * more, and shows each tier what it may see.
 */
export const openJobType = "company.analyze_url" satisfies JobTypeName;

/** The engine that a sort of jobs waits for, by its name in the registry. */
export const engineOf = (type: JobTypeName): string =>
  jobTypes[type]?.own?.engine ?? jobTypes[type]?.capability ?? type;

/** The capability that a sort of jobs is carried out by, where this installation sells it. */
export const capabilityOf = (registry: Registry, type: JobTypeName): CapabilityManifest | undefined =>
  registry.capabilities.get(jobTypes[type]?.capability ?? type);

/** What the result of a sort of jobs must be like. */
export const outputSchemaOf = (registry: Registry, type: JobTypeName): TSchema | undefined =>
  jobTypes[type]?.own?.output_schema ?? capabilityOf(registry, type)?.output_schema;

/** Where a job is polled. */
export const jobPath = (type: JobTypeName, id: string): string => jobTypes[type]?.path(id) ?? `/v1/jobs/${id}`;
