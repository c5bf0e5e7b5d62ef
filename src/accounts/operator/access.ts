import type { Access } from "../../web/access.ts";

/** Shared by the operator's routes. */
export const tags = ["Operator"];
/** Access to read. */
export const looks = { credential: "Operator" } as const satisfies Access;
/** Access to make changes. */
export const changes = { credential: "Operator", recentSignIn: true } as const satisfies Access;
