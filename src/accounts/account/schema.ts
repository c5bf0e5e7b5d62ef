import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";

/** A person, as their key shows them. */
export const Profile = closed(
  {
    id: T.String({ format: "uuid" }),
    email: T.String(),
    full_name: nullable(T.String()),
    locale: T.String(),
    country: nullable(T.String({ description: "An ISO 3166-1 alpha-2 code." })),
    created_at: T.String({ format: "date-time" }),
  },
  { title: "Profile" },
);

/** A part of a firm that keys are bound to, with the caller's role in it. */
export const Workspace = closed(
  {
    id: T.String({ format: "uuid" }),
    name: T.String(),
    slug: T.String({ description: "Unique within the firm." }),
    firm: closed({ id: T.String({ format: "uuid" }), name: T.String() }),
    role: enumeration("owner", "admin", "approver", "member"),
    status: T.Literal("active"),
    created_at: T.String({ format: "date-time" }),
  },
  { title: "Workspace" },
);
export type Workspace = Static<typeof Workspace>;
