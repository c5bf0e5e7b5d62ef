import { solutionInFirm } from "../../../db/queries/solutions.ts";
import type { SolutionTable } from "../../../db/schema/solution-tables.ts";
import type { Store } from "../../../db/store.ts";
import type { SolutionEvent } from "../../../machines/solution.ts";
import type { Meaning } from "../../contracts/meaning.ts";
import type { Host } from "../../execution/host.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { actorOf, type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import type { LanguageModel } from "../../integrations/models/language.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { countryCode } from "../../registry/countries.ts";
import { checkTexts } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import { type Known, matrixOf } from "./blueprint.ts";
import { type BuilderSpec, builderSpecOf, exampleOf, type Saved } from "./builder-spec.ts";
import { composeOf, expandOf, sectionIds } from "./compose.ts";
import { createSolutionKind, decideNewSolution, type SolutionEventContext } from "./decide.ts";
import { blueprintOf, designOf } from "./design.ts";
import { readIntake } from "./intake.ts";
import { inventoryOf } from "./inventory.ts";
import { languageIn } from "./language.ts";
import { needsMeant } from "./meant.ts";
import { createPhrasing, type Phrasings } from "./phrasing.ts";
import { recommend } from "./recommend.ts";
import type { Choice, Composition, Intake, IntakeResult, TemplateName } from "./schema.ts";
import type { Composing } from "./stream.ts";
import { createSolutionTokens } from "./tokens.ts";

export interface ArchitectOptions {
  readonly store: Store;
  readonly host: Host;
  readonly registry: Registry;
  readonly identity: Identity;
  readonly keyring: Keyring;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly baseUrl: string;
  /** Used to find what an unrecognised goal may mean. */
  readonly meaning: Meaning;
  /** The model that introduces the sections of documents; `null` for none. */
  readonly model: LanguageModel | null;
  /** Aborted when the server stops. */
  readonly ending: AbortSignal;
}

/** Parse columns written by this product under its own schemas. */
const intakeIn = (row: SolutionTable): Intake => JSON.parse(row.intake_json);
const choicesIn = (row: SolutionTable): Choice[] => JSON.parse(row.choices_json);

/** Checks that each choice names a need of the solution and a product that is not refused for it. */
function checkChoices(known: Known, choices: readonly Choice[]): void {
  const matrix = matrixOf(known);
  const seen = new Set<string>();
  for (const [i, { need, product }] of choices.entries()) {
    const at = `/body/choices/${i}`;
    if (!known.reading.needs.some(({ id }) => id === need))
      throw invalid(`${at}/need`, `must be one of ${known.reading.needs.map(({ id }) => id).join(", ")}`);
    if (seen.has(need)) throw invalid(`${at}/need`, "already has a choice");
    seen.add(need);
    if (product === null) continue;
    const match = matrix.find((one) => one.need === need && one.product === product);
    if (!match) throw invalid(`${at}/product`, "is not a product of the inventory");
    if (match.verdict === "refused")
      throw invalid(`${at}/product`, `is refused for this need: ${match.reasons.map(({ text }) => text).join(" ")}`);
  }
}

/** Returns what is saved of a solution for the holder of its token. */
function savedOf(registry: Registry, known: Known, composition: Composition): Saved {
  const { consent: _, ...intake } = known.intake;
  const design = designOf(known);
  const chosen = new Set(design.chosen.map(({ product }) => product));
  return {
    intake,
    needs: known.reading.needs,
    composition,
    design,
    products: known.products
      .filter(({ slug }) => chosen.has(slug))
      .map((product) => ({ ...product, example: exampleOf(registry, product) })),
  };
}

/** Opens solutions by token; a reader needs nothing else. */
function createLinks({ store, keyring, runtime, baseUrl }: ArchitectOptions) {
  const tokens = createSolutionTokens(keyring, runtime, baseUrl);

  /** Throws `not_found` for any token that opens nothing, whatever the reason, so that it reveals nothing. */
  async function opened(token: string) {
    const found = await tokens.read(token);
    const place = found && { id: found.solution_id, firm_id: found.firm_id };
    const row = place && (await solutionInFirm.first(store.read, place));
    // A token from an earlier save must not open a later one, which its holder was never given.
    const isPresent = found && (found.saved_sha256 === null || found.saved_sha256 === row?.saved_sha256);
    if (!row || !found || !isPresent) throw failure("not_found");
    const saved: Saved | null =
      found.saved_sha256 === null || row.saved_json === null ? null : JSON.parse(row.saved_json);
    return { row, saved, expires_at: found.expires_at };
  }

  return {
    tokens,
    /** Returns a solution where it was left; before it is saved, its intake and choices. */
    async resume(token: string) {
      const { row, saved, expires_at } = await opened(token);
      const { consent: _, ...intake } = intakeIn(row);
      return {
        solution_id: row.id,
        state: row.state,
        intake: saved?.intake ?? intake,
        choices: choicesIn(row),
        saved: saved?.composition ?? null,
        expires_at: rfc3339(expires_at),
      };
    },
    /**
     * Builds the specification from the saved solution alone. Throws `not_found` also for a token issued before it was
     * saved.
     */
    async builderSpec(token: string, template: TemplateName): Promise<BuilderSpec> {
      const { saved } = await opened(token);
      if (!saved) throw failure("not_found");
      return builderSpecOf(template, saved);
    },
  };
}

/** Reads solutions of the caller's firm with current data. */
function createReading({ store, identity, registry }: ArchitectOptions, phrasings: Phrasings) {
  /** Returns the row. For a key, only within its workspace; otherwise throws `not_found`. */
  async function find({ firm_id, workspace_id }: Principal, id: string): Promise<SolutionTable> {
    const row = await solutionInFirm.first(store.read, { id, firm_id });
    if (!row || (workspace_id !== null && row.workspace_id !== workspace_id)) throw failure("not_found");
    return row;
  }

  async function knownOf({ firm_id }: Principal, row: SolutionTable): Promise<Known> {
    const held = await identity.entitlements(firm_id);
    const intake = intakeIn(row);
    const products = await inventoryOf(registry, held);
    return { solution_id: row.id, intake, reading: readIntake(intake), products, held, choices: choicesIn(row) };
  }

  const known = async (principal: Principal, id: string) => knownOf(principal, await find(principal, id));
  const answer =
    <Answer>(make: (of: Known) => Answer) =>
    async (principal: Principal, id: string): Promise<Answer> =>
      make(await known(principal, id));

  /** Returns the last composition without calling a model. */
  const composed = async ({ firm_id }: Principal, of: Known): Promise<Composition> =>
    composeOf(of, await phrasings.current(firm_id, of));
  const compose = async ({ firm_id }: Principal, of: Known): Promise<Composition> =>
    composeOf(of, await phrasings.asked(firm_id, of));

  return {
    find,
    knownOf,
    composed,
    /**
     * Returns the composition for a stream, to be composed when its turn comes. Throws `not_found`, like all of these.
     */
    async composing(principal: Principal, id: string): Promise<Composing> {
      const of = await known(principal, id);
      return { told: () => composed(principal, of), compose: () => compose(principal, of) };
    },
    blueprint: answer(blueprintOf),
    recommendations: answer(recommend),
    /** Returns the document, calling the model if one introduces the sections. */
    compose: async (principal: Principal, id: string) => compose(principal, await known(principal, id)),
    /** Returns the design with the latest choices. */
    currentDesign: answer(designOf),

    /** Returns a section in full. Throws `validation_error` for an unknown section. */
    async expand(principal: Principal, id: string, section: string) {
      const of = await known(principal, id);
      const expanded = expandOf(of, section, await phrasings.current(principal.firm_id, of));
      if (!expanded) throw invalid("/body/section", `must be one of ${sectionIds.join(", ")}`);
      return { solution_id: id, ...expanded };
    },
  };
}

/** Creates the service that routes and MCP use for solutions. */
export function createArchitect(options: ArchitectOptions) {
  const { store, host, registry, identity, runtime, meaning } = options;
  const kind = createSolutionKind(store);
  const { tokens, ...links } = createLinks(options);
  const { find, knownOf, composed, ...readings } = createReading(options, createPhrasing(options));

  const deliver = (row: SolutionTable, event: SolutionEvent, context: SolutionEventContext) =>
    host.deliver(kind, { id: row.id, known: row, events: [event], context });

  return {
    ...links,
    ...readings,

    async intake(principal: Principal, given: Intake): Promise<IntakeResult> {
      checkTexts(given, "/body");
      const intake = { ...given, country: countryCode(given.country) ?? given.country };
      // The first intake of a process builds the tables of countries and of languages; yield before each.
      await runtime.nextTurn();
      const { firm_id, user_id } = principal;
      const workspace_id = await workspaceFor(identity, principal);
      const id = runtime.id();
      const at = runtime.now();
      const owner = { id, firm_id, workspace_id, user_id, created_at: at };
      const solution = { ...owner, intake_json: canonical(intake) };
      languageIn(intake.goals.join(". "), intake.country);
      await runtime.nextTurn();
      const meant = await needsMeant(readIntake(intake).needs, meaning);
      const { ruled: _, ...reading } = readIntake(intake, meant);
      await host.commit(kind, decideNewSolution(solution, { at, actor: actorOf(principal) }));
      const resume_token = intake.consent ? tokens.issue({ id, firm_id }, null).token : null;
      return { solution_id: id, resume_token, ...reading };
    },

    async inventory({ firm_id }: Principal) {
      const products = await inventoryOf(registry, await identity.entitlements(firm_id));
      return { products, currency: "credits" as const };
    },

    /** Stores choices that replace the best fits. Throws `validation_error` for an invalid choice. */
    async design(principal: Principal, id: string, choices: readonly Choice[]) {
      const row = await find(principal, id);
      const known = await knownOf(principal, row);
      checkChoices(known, choices);
      const choices_json = canonical(choices);
      if (choices_json !== row.choices_json)
        await deliver(row, { type: "CHOOSE" }, { at: runtime.now(), actor: actorOf(principal), choices_json });
      return designOf({ ...known, choices });
    },

    /** Saves the solution in its current form and issues a token for it. Throws `validation_error` without consent. */
    async unlock(principal: Principal, { solution_id, email, consent }: Unlocking) {
      if (!consent) throw invalid("/body/consent", "must be true: nothing is saved without consent");
      const row = await find(principal, solution_id);
      const known = await knownOf(principal, row);
      const saved = savedOf(registry, known, await composed(principal, known));
      const saved_sha256 = saved.composition.sha256;
      const stored = { saved_json: canonical(saved), saved_sha256, consent_email: email };
      await deliver(row, { type: "SAVE" }, { at: runtime.now(), actor: actorOf(principal), saved: stored });
      const { token, expires_at } = tokens.issue(row, saved_sha256);
      return { solution_id, token, expires_at: rfc3339(expires_at), saved_sha256 };
    },
  };
}

interface Unlocking {
  readonly solution_id: string;
  readonly email: string;
  readonly consent: boolean;
}

export type Architect = ReturnType<typeof createArchitect>;
