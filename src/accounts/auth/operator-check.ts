import { userById } from "../../../db/queries/firms.ts";
import { sessionById } from "../../../db/queries/sessions.ts";
import type { Store } from "../../../db/store.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import { failure, insufficient } from "../../platform/errors.ts";
import type { OperatorCheck } from "../../web/access.ts";
import { programProvider } from "./schema.ts";

/** A sign-in this recent lets an operator make changes. Later, they have to sign in again. */
export const operatorSignIn = 15 * minute;

/** Creates the check, for each request of `/v1/operator`, that the person still runs the installation. */
export const createOperatorCheck = ({ read }: Pick<Store, "read">, clock: Clock): OperatorCheck => ({
  async permit({ user_id, session_id }, recentSignIn) {
    const user = await userById(read, user_id);
    if (user?.is_operator !== 1) throw insufficient(["needs an operator of the installation"]);
    const session = session_id === null ? undefined : await sessionById.first(read, { id: session_id });
    // A cookie may contain a token that was issued to a program, which is not a browser sign-in.
    if (session?.provider === programProvider) throw failure("invalid_api_key");
    if (recentSignIn && clock.now() - (session?.authenticated_at ?? 0) >= operatorSignIn)
      throw failure("recent_sign_in_required");
  },
});
