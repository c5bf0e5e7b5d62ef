import { userById } from "../../../db/queries/firms.ts";
import { sessionById } from "../../../db/queries/sessions.ts";
import type { Store } from "../../../db/store.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import { failure, insufficient } from "../../platform/errors.ts";
import type { OperatorCheck } from "../../web/access.ts";

/** A sign-in this recent lets an operator change something. To sign in again is the way to do so later. */
export const operatorSignIn = 15 * minute;

/** Reads, at each request of `/v1/operator`, whether its person still runs the installation. */
export const createOperatorCheck = ({ read }: Pick<Store, "read">, clock: Clock): OperatorCheck => ({
  async permit({ user_id, session_id }, recentSignIn) {
    const user = await userById(read, user_id);
    if (user?.is_operator !== 1) throw insufficient(["needs an operator of the installation"]);
    if (!recentSignIn) return;
    const session = session_id === null ? undefined : await sessionById.first(read, { id: session_id });
    if (clock.now() - (session?.created_at ?? 0) >= operatorSignIn) throw failure("recent_sign_in_required");
  },
});
