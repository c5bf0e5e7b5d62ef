import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { languageTag } from "../../platform/validate.ts";
import { DeveloperApiKey } from "../developer/schema.ts";

const Id = T.String({ format: "uuid" });
const Time = T.String({ format: "date-time" });
const Role = enumeration("owner", "admin", "approver", "member");

export const TeamMember = closed(
  {
    id: Id,
    email: T.String(),
    full_name: nullable(T.String()),
    role: Role,
    joined_at: Time,
    last_sign_in_at: nullable(Time),
    current: T.Boolean({ description: "Whether it is the caller." }),
  },
  { title: "TeamMember" },
);
export type TeamMember = Static<typeof TeamMember>;

export const TeamMemberChange = closed({ role: Role }, { title: "TeamMemberChange" });

/** What was revoked when a person was removed. */
export const TeamRemoval = closed(
  {
    api_keys: T.Integer({ minimum: 0 }),
    connections: T.Integer({ minimum: 0 }),
    sessions: T.Integer({ minimum: 0 }),
  },
  { title: "TeamRemoval" },
);

const invitationProperties = {
  id: Id,
  email: T.String(),
  role: Role,
  state: enumeration("open", "accepted", "expired"),
  created_at: Time,
  expires_at: Time,
  accepted_at: nullable(Time),
};

export const TeamInvitation = closed(invitationProperties, { title: "TeamInvitation" });
export type TeamInvitation = Static<typeof TeamInvitation>;

export const CreatedTeamInvitation = closed(
  {
    ...invitationProperties,
    link: nullable(
      T.String({
        description: "The link to hand over; returned only in this response. Null if it was sent by mail.",
      }),
    ),
  },
  { title: "CreatedTeamInvitation" },
);

export const TeamInvitationRequest = closed(
  {
    email: T.String({ minLength: 3, maxLength: 254, examples: ["grace@example.com"] }),
    role: Role,
    locale: T.Optional(
      T.String({
        maxLength: 35,
        pattern: languageTag,
        description: "The language of the mail; default: that of the inviting person.",
      }),
    ),
  },
  { title: "TeamInvitationRequest" },
);
export type TeamInvitationRequest = Static<typeof TeamInvitationRequest>;

/** A key of the firm, with its owner. */
export const TeamKey = closed(
  { ...DeveloperApiKey.properties, user: closed({ id: Id, email: T.String(), full_name: nullable(T.String()) }) },
  { title: "TeamKey" },
);
