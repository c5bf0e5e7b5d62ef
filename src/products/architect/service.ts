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
  /** Asked what a goal may mean that was not recognised. */
  readonly meaning: Meaning;
  /** What introduces the sections of documents; null: nothing. */
  readonly model: LanguageModel | null;
  /** Aborted when the server stops. */
  readonly ending: AbortSignal;
}

/** Stored by this product, by its own schemas. */
const intakeIn = (row: SolutionTable): Intake => JSON.parse(row.intake_json);
const choicesIn = (row: SolutionTable): Choice[] => JSON.parse(row.choices_json);

/** Each choice must name a need of the solution and a product that is not refused for it. */
function checkChoices(known: Known, choices: readonly Choice[]): void {
  const matrix = matrixOf(known);
  const seen = new Set<string>();
  for (const [i, { need, product }] of choices.entries()) {
    const at = `/body/choices/${i}`;
    if (!known.reading.needs.some(({ id }) => id === need))
      throw invalid(`${at}/need`, `must be one of ${known.reading.needs.map(({ id }) => id).join(", ")}`);
    if (seen.has(need)) throw invalid(`${at}/need`, "was chosen for before");
    seen.add(need);
    if (product === null) continue;
    const match = matrix.find((one) => one.need === need && one.product === product);
    if (!match) throw invalid(`${at}/product`, "is no product of the inventory");
    if (match.verdict === "refused")
      throw invalid(`${at}/product`, `is refused for this need: ${match.reasons.map(({ text }) => text).join(" ")}`);
  }
}

/** What is kept of a solution for the holder of its token. */
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

/** Solutions by their tokens alone, which are all that a reader has to show. */
function createLinks({ store, keyring, runtime, baseUrl }: ArchitectOptions) {
  const tokens = createSolutionTokens(keyring, runtime, baseUrl);

  /** Throws `not_found` for a token that opens nothing, whatever the reason: it tells nobody what there is. */
  async function opened(token: string) {
    const found = await tokens.read(token);
    const place = found && { id: found.solution_id, firm_id: found.firm_id };
    const row = place && (await solutionInFirm.first(store.read, place));
    // One that is used again after another save would show what its holder was never given.
    const isPresent = found && (found.saved_sha256 === null || found.saved_sha256 === row?.saved_sha256);
    if (!row || !found || !isPresent) throw failure("not_found");
    const saved: Saved | null =
      found.saved_sha256 === null || row.saved_json === null ? null : JSON.parse(row.saved_json);
    return { row, saved, expires_at: found.expires_at };
  }

  return {
    tokens,
    /** Where a solution was left. Before it is saved: its intake and choices. */
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
    /** Made from what was saved and nothing else. Throws `not_found` also for a token from before it was saved. */
    async builderSpec(token: string, template: TemplateName): Promise<BuilderSpec> {
      const { saved } = await opened(token);
      if (!saved) throw failure("not_found");
      return builderSpecOf(template, saved);
    },
  };
}

/** Solutions of the caller's firm, with what is known of them now. */
function createReading({ store, identity, registry }: ArchitectOptions, phrasings: Phrasings) {
  /** For a key within its workspace; `not_found` for any other. */
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

  /** As it was told last: no model is asked. */
  const composed = async ({ firm_id }: Principal, of: Known): Promise<Composition> =>
    composeOf(of, await phrasings.current(firm_id, of));
  const compose = async ({ firm_id }: Principal, of: Known): Promise<Composition> =>
    composeOf(of, await phrasings.asked(firm_id, of));

  return {
    find,
    knownOf,
    composed,
    /** What the stream composes when its turn comes. Throws `not_found`, as all of these do. */
    async composing(principal: Principal, id: string): Promise<Composing> {
      const of = await known(principal, id);
      return { told: () => composed(principal, of), compose: () => compose(principal, of) };
    },
    blueprint: answer(blueprintOf),
    recommendations: answer(recommend),
    /** The document, for which a model is asked where one is to introduce it. */
    compose: async (principal: Principal, id: string) => compose(principal, await known(principal, id)),
    /** The design by the choices that were made last. */
    currentDesign: answer(designOf),

    /** A section in full. Throws `validation_error` for one that there is not. */
    async expand(principal: Principal, id: string, section: string) {
      const of = await known(principal, id);
      const expanded = expandOf(of, section, await phrasings.current(principal.firm_id, of));
      if (!expanded) throw invalid("/body/section", `must be one of ${sectionIds.join(", ")}`);
      return { solution_id: id, ...expanded };
    },
  };
}

/** Solutions as their routes and MCP use them. */
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
      // The first intake of a process makes the tables of countries and of languages: each in a turn of its own.
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

    /** With other products than those that fit best. Throws `validation_error` for a choice that can't be. */
    async design(principal: Principal, id: string, choices: readonly Choice[]) {
      const row = await find(principal, id);
      const known = await knownOf(principal, row);
      checkChoices(known, choices);
      const choices_json = canonical(choices);
      if (choices_json !== row.choices_json)
        await deliver(row, { type: "CHOOSE" }, { at: runtime.now(), actor: actorOf(principal), choices_json });
      return designOf({ ...known, choices });
    },

    /** Saves the solution as it is now, and gives a token for it. Throws `validation_error` without consent. */
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
