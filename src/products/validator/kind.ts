import { snapshotOf } from "../../../db/queries/snapshots.ts";
import { validationById } from "../../../db/queries/validations.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { ValidationEvent } from "../../../machines/validation.ts";
import type { ActorKind } from "../../execution/host.ts";
import type { ActorWatch } from "../../execution/watch.ts";
import { present } from "../../platform/assert.ts";
import { decideValidation, type ValidationEventContext, type ValidationRules, type ValidationState } from "./decide.ts";

export type ValidationKind = ActorKind<ValidationState, ValidationEvent, ValidationEventContext>;

/** Creates the actor kind of validations. Called by `app.ts`. */
export const createValidationKind = (
  store: Pick<Store, "read">,
  rules: ValidationRules,
  watch: ActorWatch,
): ValidationKind => ({
  async load(id) {
    const row = present(await validationById.first(unscoped(store.read), { id }), "the validation of an effect");
    const stored = present(await snapshotOf.first(store.read, { actor_id: id }), "the snapshot of a validation");
    return { row, revision: stored.revision, snapshot: stored.snapshot_json };
  },
  decide: (state, events, context) => decideValidation(state, events, context, rules),
  published: ({ row }) => watch.publish(row.id),
});
