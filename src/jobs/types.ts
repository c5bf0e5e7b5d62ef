import type { JobTypeName } from "../../db/schema/job-tables.ts";
import type { CapabilityManifest } from "../registry/contract.ts";
import type { Registry } from "../registry/registry.ts";

/** What the sorts of jobs differ in. */
export interface JobType {
  /** Its gate, readiness and entitlements decide whether a job is taken; its engine carries it out. */
  readonly capability: string;
  /** Where its polling view is. */
  readonly path: (id: string) => string;
}

/** The sorts of jobs that this release takes. */
export const jobTypes: Readonly<Partial<Record<JobTypeName, JobType>>> = {
  "company.analyze_url": { capability: "company-intelligence", path: (id) => `/v1/jobs/${id}` },
};

/** The engine that a sort of jobs waits for, by its name in the registry. */
export const engineOf = (type: JobTypeName): string => jobTypes[type]?.capability ?? type;

/** The capability that a sort of jobs is carried out by, where this installation sells it. */
export const capabilityOf = (registry: Registry, type: JobTypeName): CapabilityManifest | undefined =>
  registry.capabilities.get(engineOf(type));

/** Where a job is polled. */
export const jobPath = (type: JobTypeName, id: string): string => jobTypes[type]?.path(id) ?? `/v1/jobs/${id}`;
