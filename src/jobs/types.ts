import type { TSchema } from "@sinclair/typebox";
import type { JobTypeName } from "../../db/schema/job-tables.ts";
import type { CapabilityManifest } from "../registry/contract.ts";
import type { Registry } from "../registry/registry.ts";
import { GermanyEnrichment } from "./schema.ts";

/** The properties of a job type. */
export interface JobType {
  /**
   * Its gate, readiness and entitlements decide whether a job is accepted; its engine carries it out, unless `own` is
   * set.
   */
  readonly capability: string;
  /** A separate engine, and the schema of its output. */
  readonly own?: { readonly engine: string; readonly output_schema: TSchema };
  /**
   * Everyone in the firm who may read such jobs sees all of the workspace's; otherwise only the user who requested the
   * job.
   */
  readonly isShared?: true;
  /** Path of the polling view. */
  readonly path: (id: string) => string;
}

/** The job types that this release accepts. */
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
 * The only type that `jobs:read` lists and polls, over REST and MCP. Other types have separate polling views that need
 * more scopes and show each tier what it may see.
 */
export const openJobType = "company.analyze_url" satisfies JobTypeName;

/** Returns the registry name of the engine that a job type runs on. */
export const engineOf = (type: JobTypeName): string =>
  jobTypes[type]?.own?.engine ?? jobTypes[type]?.capability ?? type;

/** Returns the capability that carries out a job type, if this installation sells it. */
export const capabilityOf = (registry: Registry, type: JobTypeName): CapabilityManifest | undefined =>
  registry.capabilities.get(jobTypes[type]?.capability ?? type);

/** Returns the schema of a job type's result. */
export const outputSchemaOf = (registry: Registry, type: JobTypeName): TSchema | undefined =>
  jobTypes[type]?.own?.output_schema ?? capabilityOf(registry, type)?.output_schema;

/** Returns the path at which a job is polled. */
export const jobPath = (type: JobTypeName, id: string): string => jobTypes[type]?.path(id) ?? `/v1/jobs/${id}`;
