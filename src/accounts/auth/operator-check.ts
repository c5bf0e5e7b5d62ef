import { userById } from "../../../db/queries/firms.ts";
import { sessionById } from "../../../db/queries/sessions.ts";
import type { Store } from "../../../db/store.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import { failure, insufficient } from "../../platform/errors.ts";
import type { OperatorCheck } from "../../web/access.ts";
import { programProvider } from "./schema.ts";

/** A sign-in this recent lets an operator change something. To sign in again is the way to do so later. */
export const operatorSignIn = 15 * minute;

/** Reads, at each request of `/v1/operator`, whether its person still runs the installation. */
export const createOperatorCheck = ({ read }: Pick<Store, "read">, clock: Clock): OperatorCheck => ({
  async permit({ user_id, session_id }, recentSignIn) {
    const user = await userById(read, user_id);
    if (user?.is_operator !== 1) throw insufficient(["needs an operator of the installation"]);
    const session = session_id === null ? undefined : await sessionById.first(read, { id: session_id });
    // A cookie may hold what a program was given; it is none of a browser's sign-in.
    if (session?.provider === programProvider) throw failure("invalid_api_key");
    if (recentSignIn && clock.now() - (session?.authenticated_at ?? 0) >= operatorSignIn)
      throw failure("recent_sign_in_required");
  },
});
