import { claimDigest } from "../../../db/claim-digest.ts";
import { audienceInFirm, audiencesOf, insertAudience } from "../../../db/queries/audiences.ts";
import { claimByDigest, insertClaim } from "../../../db/queries/idempotency.ts";
import type { AudienceTable } from "../../../db/schema/validator-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { appendAudit } from "../../execution/audit.ts";
import { actorOf, type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type Interruptible, runCooperatively } from "../slices.ts";
import { audienceFor } from "./conductor.ts";
import { type Described, nobodyIs } from "./described.ts";
import { drawPersonas } from "./draw.ts";
import { anyMarket, type Market, marketNamed, unknownMarket } from "./markets.ts";
import type { AudienceCreated, AudienceDetails, AudienceList } from "./schema.ts";
import { audienceIn, statusesOf } from "./study.ts";
import { textsIn, wordsFor } from "./texts.ts";

/** A request to create an audience. */
export interface AudienceRequest {
  readonly name: string;
  readonly description: string;
  readonly market?: string | undefined;
  readonly size?: number | undefined;
}

interface AudiencesOptions {
  readonly store: Store;
  readonly identity: Identity;
  readonly runtime: Runtime;
}

const usualSize = 10;
const previewed = 10;
const operation = "audience.create";

/** Returns the query scope of a caller; an empty workspace means all of the firm's. */
export const scopeOf = ({ firm_id, workspace_id }: Principal) => ({ firm_id, workspace_id: workspace_id ?? "" });

const marketOf = ({ market }: AudienceTable): Market => present(marketNamed(market), "the market of an audience");

/** Returns what was understood of a description, in English, and the phrases that no persona is chosen by. */
const readingOf = ({ traits, not_used }: Described) => ({
  understood: traits.map(({ label }) => label(textsIn.en)),
  not_used: [...not_used],
});

function* previewOf(audience: AudienceTable, described: Described): Interruptible<AudienceDetails["personas"]> {
  const { id, size } = audience;
  const { traits, language } = described;
  const count = Math.min(size, previewed);
  const { people, left_out } = yield* drawPersonas(marketOf(audience), count, `preview:${id}`, traits);
  const statuses = statusesOf(traits, left_out);
  return people.map((person) => ({ age: person.age, ...wordsFor(person, language, statuses) }));
}

/**
 * Claims an idempotency key for an audience in the transaction. Returns the audience that the key already created, if
 * any. Throws `idempotency_conflict` if that request was different.
 */
async function claimed(tx: Db, key: string, row: AudienceTable): Promise<AudienceTable | undefined> {
  const { id, firm_id, workspace_id, name, description, market, size, created_at } = row;
  const input_hash = sha256Hex(canonical({ workspace_id, name, description, market, size }));
  const digest = claimDigest({ firm_id, operation, key });
  const claim = { digest, firm_id, operation, key, input_hash, resource_id: id, created_at };
  if ((await insertClaim.run(tx, claim)) === 1) return undefined;
  const known = present(await claimByDigest.first(tx, { digest, firm_id }), "a claimed key");
  if (known.input_hash !== input_hash) throw failure("idempotency_conflict");
  const earlier = await audienceInFirm.first(tx, { id: known.resource_id, firm_id });
  if (!earlier) throw failure("not_found");
  return earlier;
}

/** The audience of a request, and whether its key had already created it. */
interface Made {
  readonly made: AudienceCreated;
  readonly replayed: boolean;
}

/** Creates the audience part of the validator's service, used by the tools, the routes and the command line. */
export const createAudiences = ({ store, identity, runtime }: AudiencesOptions) => ({
  async audiences(caller: Principal): Promise<AudienceList> {
    const rows = await audiencesOf.all(store.read, scopeOf(caller));
    return { audiences: rows.map(({ id, name, size }) => ({ audience_id: id, name, personas_count: size })) };
  },

  /** Throws `not_found`. */
  async audienceDetails(caller: Principal, audience_id: string): Promise<AudienceDetails> {
    const found = await audienceFor(store, caller, audience_id);
    if (!found) throw failure("not_found");
    const { id, name, description, market, size, source } = found;
    const described = audienceIn(description, marketOf(found));
    return {
      audience: { id, name, description, market, size, source },
      personas: await runCooperatively(runtime, previewOf(found, described)),
      personas_count: size,
      ...readingOf(described),
    };
  },

  /**
   * With a key that made one before, that one is answered. Throws `validation_error` for an unknown market and for people
   * whom it can't have, `idempotency_conflict` for a key of another audience, `not_found` where that is deleted.
   */
  async createAudience(caller: Principal, asked: AudienceRequest, key?: string): Promise<Made> {
    const market = marketNamed(asked.market ?? anyMarket);
    if (!market) throw invalid("/body/market", unknownMarket);
    const { name, description, size = usualSize } = asked;
    const described = audienceIn(description, market);
    if (described.isNobody) throw invalid("/body/description", nobodyIs(described));
    const workspace_id = await workspaceFor(identity, caller);
    const { firm_id, user_id } = caller;
    const id = runtime.id();
    const created_at = runtime.now();
    const given = { id, firm_id, workspace_id, user_id, name, description, market: market.code, size, created_at };
    const row: AudienceTable = { ...given, source: "described" };
    const actor = actorOf(caller);
    return store.write(async (tx) => {
      const earlier = key === undefined ? undefined : await claimed(tx, key, row);
      if (earlier) return { made: { audience_id: earlier.id, ...readingOf(described) }, replayed: true };
      await insertAudience.run(tx, row);
      await appendAudit(tx, { at: created_at, firm_id, actor, action: operation, subject: id, data: { size } });
      return { made: { audience_id: id, ...readingOf(described) }, replayed: false };
    });
  },
});
