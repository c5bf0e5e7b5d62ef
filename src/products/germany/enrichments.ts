import type { Datasets } from "../../../db/datasets.ts";
import { type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import { jobRecord } from "../../jobs/record.ts";
import { GermanyEnrichment, type Job } from "../../jobs/schema.ts";
import type { Jobs } from "../../jobs/service.ts";
import { failure, invalid, lacksEntitlements } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import { namedFindings } from "./enrichment-fields.ts";
import { germanyDataset, tableOf } from "./holdings.ts";
import type { GermanyEnrichmentRequest } from "./schema.ts";
import { enterprise, isEnterprise } from "./tier.ts";

export interface EnrichmentServices {
  readonly datasets: Datasets;
  readonly identity: Identity;
  readonly jobs: Jobs;
}

const type = "germany.enrich";

const isEnrichment = (result: unknown): result is GermanyEnrichment =>
  problems(GermanyEnrichment, result, "").length === 0;

/** Removes everything that may contain a name, including all evidence, which contains the site's address. */
const unnamed = (result: GermanyEnrichment): GermanyEnrichment => ({
  ...result,
  fields: result.fields.map((one) => ({
    ...one,
    value: namedFindings.has(one.field) ? null : one.value,
    evidence: [],
  })),
  pages: [],
  notes: ["The site, and anything that may identify the firm, are shown only to the enterprise tier."],
});

/**
 * Returns a job as the caller's tier may see it. An error message may also contain the site's name, so it is replaced.
 */
function jobFor(job: Job, all: boolean): Job {
  if (all) return job;
  const message = "The site could not be read. Only the enterprise tier sees the reason.";
  return {
    ...job,
    result: isEnrichment(job.result) ? unnamed(job.result) : null,
    error: job.error && { code: job.error.code, message },
  };
}

/** A submitted job, and whether its idempotency key had already created it. */
interface Submitted {
  readonly job: Job;
  readonly replayed: boolean;
}

/** Creates the enrichment service for its routes, which have checked credential, scope and entitlement. */
export function createEnrichments({ datasets, identity, jobs }: EnrichmentServices) {
  return {
    /**
     * Queues the reading of a profile's own site; resolves once the job is durable. Counts towards the monthly quota of
     * the caller's user; repeating a key and input returns the same job without counting. Throws `missing_scope` for a
     * field of the enterprise tier, `validation_error` for a profile without a site, `not_found`, and the errors of
     * submitting a job.
     */
    async submit(caller: Principal, asked: GermanyEnrichmentRequest, idempotency_key?: string): Promise<Submitted> {
      const { target_key, fields } = asked;
      const all = await isEnterprise(identity, caller);
      if (!all && fields.some((field) => namedFindings.has(field))) throw lacksEntitlements([enterprise]);
      const profile = tableOf(await datasets.current(germanyDataset), "profiles")?.entity(target_key);
      if (!profile) throw failure("not_found");
      if (profile.fields.website === null)
        throw invalid("/body/target_key", "belongs to a profile that names no website");
      const { row, replayed } = await jobs.submit({
        ...{ principal: caller, type, workspace_id: await workspaceFor(identity, caller) },
        input: { target_key, fields: [...new Set(fields)] },
        quota: { subject: `user:${caller.user_id}`, name: "germany-enrichments" },
        idempotency_key,
      });
      return { job: jobFor(jobRecord(row), all), replayed };
    },

    /** Returns a job of the caller's firm. Throws `not_found` for any other. */
    async view(caller: Principal, id: string): Promise<Job> {
      return jobFor(await jobs.jobView(caller, id, type), await isEnterprise(identity, caller));
    },
  };
}

export type Enrichments = ReturnType<typeof createEnrichments>;
