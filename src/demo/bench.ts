import type { Store } from "../../db/store.ts";
import { type Creation, operator } from "../accounts/admin/audit-context.ts";
import { grantCredits } from "../accounts/admin/credits.ts";
import { createFirm, createWorkspace } from "../accounts/admin/firms.ts";
import { createApiKey } from "../accounts/admin/keys.ts";
import { entitle, switchGate } from "../accounts/admin/permissions.ts";
import { createUser } from "../accounts/admin/users.ts";
import type { Runtime } from "../platform/runtime.ts";
import { benchEntitlement, benchNoop } from "../products/capabilities/bench-noop/manifest.ts";

const firms = 64;
const ampleCredits = 1_000_000_000_000;

/** Creates the firms that may run `bench-noop` and returns an API key of each. */
export function prepareBench(store: Store, runtime: Runtime): Promise<string[]> {
  const act: Creation = { actor: operator, at: runtime.now(), runtime };
  return store.write(async (tx) => {
    await switchGate(tx, act, benchNoop.slug, true);
    const keys: string[] = [];
    for (let n = 1; n <= firms; n++) {
      const firm = await createFirm(tx, act, { name: `Bench ${n}` });
      await entitle(tx, act, firm.id, benchEntitlement);
      const workspace = await createWorkspace(tx, act, firm.id, { name: "Bench" });
      const user = await createUser(tx, act, { firm_id: firm.id, email: `bench${n}@bench.example`, role: "owner" });
      await grantCredits(tx, act, { firm_id: firm.id, credits: ampleCredits, reason: "benchmark" });
      const { secret } = await createApiKey(tx, act, {
        firm_id: firm.id,
        workspace_id: workspace.id,
        user_id: user.id,
        name: "Bench",
        scopes: ["capabilities:run", "runs:read", "account:read"],
        expires_at: null,
      });
      keys.push(secret);
    }
    return keys;
  });
}
