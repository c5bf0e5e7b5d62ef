import { quotasOf } from "../../../db/queries/entitlements.ts";
import { firmById, firmsAfter } from "../../../db/queries/firms.ts";
import { anybody, limitsOf } from "../../../db/queries/limits.ts";
import { claimOperatorKey, operatorClaim } from "../../../db/queries/operator-claims.ts";
import type { FirmTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { isMonthlyName, monthlyNames, monthlyQuotas } from "../../execution/usage/quota.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { canonicalHash } from "../../platform/json.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Creation } from "../admin/audit-context.ts";
import { adjustCredits, grantCredits } from "../admin/credits.ts";
import { disentitle, entitle, limitMonthly, limitRuns, unlimitMonthly, unlimitRuns } from "../admin/permissions.ts";
import {
  connectorSlugs,
  entitlementNamesOf,
  firmDetail,
  generalEntitlements,
  grantableEntitlements,
  withTime,
} from "../admin/views.ts";
import { creditBalance } from "../usage/service.ts";
import type { OperatorCreditChange, OperatorQuota } from "./schema.ts";

/** Dependencies of the operator's services. */
export interface OperatorOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly registry: Registry;
}

/** Returns the audit context of a change made now. The actor is the person, not the command line's `operator`. */
export const auditOf = (caller: Principal, runtime: Runtime): Creation => ({
  actor: actorOf(caller),
  at: runtime.now(),
  runtime,
});

/** Returns the firm. Throws `not_found`. */
export async function firmNamed(db: Db, id: string): Promise<FirmTable> {
  const firm = await firmById.first(db, { id });
  if (!firm) throw failure("not_found");
  return firm;
}

/** Returns a firm's limits: on its runs, and on each of its keys or people. */
async function quotaList(db: Db, firm_id: string): Promise<OperatorQuota[]> {
  const monthly = (await limitsOf(db, firm_id)).filter(({ subject }) => subject === anybody);
  return [
    ...(await quotasOf(db, firm_id)).map(({ capability, monthly_runs, changed_at }) => ({
      name: capability,
      counted_for: "firm" as const,
      monthly_runs,
      changed_at: rfc3339(changed_at),
    })),
    ...monthly.flatMap(({ name, monthly: monthly_runs, changed_at }) =>
      isMonthlyName(name)
        ? [{ name, counted_for: monthlyQuotas[name], monthly_runs, changed_at: rfc3339(changed_at) }]
        : [],
    ),
  ];
}

/** Firms and their permissions, for the routes. Every change is audited in its own transaction. */
export class OperatorFirms {
  constructor(private readonly options: OperatorOptions) {}

  /** Slugs of what every firm may run, which excludes firms' private capabilities. */
  private sold(): string[] {
    const { capabilities, useCases } = this.options.registry;
    const general = [...capabilities.values()].filter((capability) => !capability.private);
    return [...general.map(({ slug }) => slug), ...useCases.keys()];
  }

  private async limitable(db: Db, firm_id: string): Promise<string[]> {
    return [...this.sold(), ...(await connectorSlugs(db, firm_id)), ...monthlyNames];
  }

  private general(): string[] {
    return generalEntitlements([...this.options.registry.capabilities.values()].filter((one) => !one.private));
  }

  /** Returns a page of firms in order of creation, with one more than `limit` if there are more. */
  async list(after: string | undefined, limit: number) {
    const { read } = this.options.store;
    const rows = await firmsAfter(unscoped(read), after, limit + 1);
    return Promise.all(rows.map(async (firm) => ({ ...withTime(firm), credits: await creditBalance(read, firm.id) })));
  }

  async show(id: string) {
    const { read } = this.options.store;
    const firm = await firmNamed(read, id);
    return {
      ...(await firmDetail(read, firm)),
      grantable_entitlements: await grantableEntitlements(read, id, this.general()),
      quotas: await quotaList(read, id),
      limitable: await this.limitable(read, id),
    };
  }

  /**
   * Grants, tops up or adjusts credits, once for each idempotency key: repeating the same change does nothing. Throws
   * `validation_error` for an invalid change, `idempotency_conflict` for another change under that key.
   */
  changeCredits(caller: Principal, firm_id: string, change: OperatorCreditChange, key: string) {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      await firmNamed(tx, firm_id);
      const audit = auditOf(caller, runtime);
      const body_sha256 = canonicalHash({ firm_id, ...change });
      const replayed = !(await claimOperatorKey(tx, { key, body_sha256, claimed_at: audit.at }));
      if (replayed && (await operatorClaim(tx, key))?.body_sha256 !== body_sha256)
        throw failure("idempotency_conflict");
      const { kind, credits, reason } = change;
      const given = { firm_id, credits, reason };
      if (!replayed && kind !== "adjust") await grantCredits(tx, audit, given, kind);
      else if (!replayed && !(await adjustCredits(tx, audit, given)))
        throw invalid("/body/credits", "must not deduct more than is available");
      return { balance: await creditBalance(tx, firm_id), replayed };
    });
  }

  /** Grants or withdraws an entitlement. Throws `not_found` for a name that the firm cannot be granted. */
  setEntitlement(caller: Principal, firm_id: string, name: string, isHeld: boolean): Promise<string[]> {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      await firmNamed(tx, firm_id);
      if (!(await grantableEntitlements(tx, firm_id, this.general())).includes(name)) throw failure("not_found");
      await (isHeld ? entitle : disentitle)(tx, auditOf(caller, runtime), firm_id, name);
      return entitlementNamesOf(tx, firm_id);
    });
  }

  /** Sets a firm's quota, or removes it with null. Throws `not_found` for a name that cannot be limited. */
  setQuota(caller: Principal, firm_id: string, name: string, monthly_runs: number | null): Promise<OperatorQuota[]> {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      await firmNamed(tx, firm_id);
      const audit = auditOf(caller, runtime);
      if (!(await this.limitable(tx, firm_id)).includes(name)) throw failure("not_found");
      const limit = { firm_id, subject: anybody, name };
      if (isMonthlyName(name))
        await (monthly_runs === null ? unlimitMonthly(tx, audit, limit) : limitMonthly(tx, audit, limit, monthly_runs));
      else if (monthly_runs === null) await unlimitRuns(tx, audit, firm_id, name);
      else await limitRuns(tx, audit, firm_id, name, monthly_runs);
      return quotaList(tx, firm_id);
    });
  }
}
