import type { Access } from "../../web/access.ts";

/** What the operator's routes have in common. */
export const tags = ["Operator"];
/** Who may look. */
export const looks = { credential: "Operator" } as const satisfies Access;
/** Who may change something. */
export const changes = { credential: "Operator", recentSignIn: true } as const satisfies Access;
