import { Type as T } from "@sinclair/typebox";
import { callerOf } from "../../web/access.ts";
import { createAttemptGuard } from "../../web/attempts.ts";
import { page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { placed } from "../admin/placed.ts";
import { keyRecord } from "../developer/keys.ts";
import { includeMember, isListed } from "../developer/listed.ts";
import {
  CreatedTeamInvitation,
  TeamInvitation,
  TeamInvitationRequest,
  TeamKey,
  TeamMember,
  TeamMemberChange,
  TeamRemoval,
} from "./schema.ts";
import { invitationsPerMinute, Team, type TeamOptions } from "./service.ts";

const tags = ["Team"];
const anybody = { credential: "Session" } as const;
const owners = { credential: "Session", roles: ["owner"] } as const;
const UserPath = T.Object({ user_id: T.String({ format: "uuid" }) });
const InvitationPath = T.Object({ invitation_id: T.String({ format: "uuid" }) });
const KeyPath = T.Object({ key_id: T.String({ format: "uuid" }) });

/** Routes for the firm's members. */
const memberRoutes = (team: Team): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/team/members",
    access: anybody,
    response: { 200: page(TeamMember, "TeamMemberList"), ...errorResponses(401) },
    detail: {
      operationId: "listTeamMembers",
      summary: "List the firm's people",
      description: "In order of joining.",
      tags,
    },
    handler: async ({ request }) => ({ items: await team.members(callerOf(request)), next_cursor: null }),
  }),
  defineRoute({
    method: "PATCH",
    path: "/v1/team/members/:user_id",
    access: owners,
    params: UserPath,
    body: TeamMemberChange,
    response: { 200: TeamMember, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "changeTeamMember",
      summary: "Change a member's role",
      description:
        "Takes effect from their next request on. Their keys and connections stay, limited to the new role. The last owner's role can't be changed.",
      tags,
    },
    handler: ({ params, body, request }) =>
      placed("/path", () => team.setRole(callerOf(request), params.user_id, body.role)),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/team/members/:user_id",
    access: owners,
    params: UserPath,
    response: { 200: TeamRemoval, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "removeTeamMember",
      summary: "Remove a member from the firm",
      description:
        "Their keys and connections are revoked, and they are signed out. Runs that they started continue and are charged to the firm.",
      tags,
    },
    handler: ({ params, request }) => placed("/path", () => team.remove(callerOf(request), params.user_id)),
  }),
];

/** Routes for invitations. */
const invitationRoutes = (team: Team): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/team/invitations",
    access: owners,
    response: { 200: page(TeamInvitation, "TeamInvitationList"), ...errorResponses(401, 403) },
    detail: {
      operationId: "listTeamInvitations",
      summary: "List invitations",
      description: "Newest first, including accepted and expired ones.",
      tags,
    },
    handler: async ({ request }) => ({ items: await team.invited(callerOf(request)), next_cursor: null }),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/team/invitations",
    access: owners,
    body: TeamInvitationRequest,
    response: { 201: CreatedTeamInvitation, ...errorResponses(401, 403, 422, 429) },
    detail: {
      operationId: "createTeamInvitation",
      summary: "Invite a person",
      description:
        "Creates a link that can be used once, within seven days. If mail is configured, it is sent to the address; otherwise it is returned only in this response.",
      tags,
    },
    handler: async ({ body, request, set }) => {
      const made = await placed("/body", () => team.invite(callerOf(request), body));
      set.status = 201;
      set.headers["cache-control"] = "no-store";
      return made;
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/team/invitations/:invitation_id",
    access: owners,
    params: InvitationPath,
    response: { ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "withdrawTeamInvitation",
      summary: "Withdraw an invitation",
      description: "Its link stops working. For an accepted invitation, returns 404.",
      tags,
      responses: { 204: { description: "Withdrawn." } },
    },
    handler: async ({ params, request }) => {
      await team.withdraw(callerOf(request), params.invitation_id);
      return new Response(null, { status: 204 });
    },
  }),
];

/** Routes for the API keys of the firm's people. */
const keyRoutes = (team: Team, { runtime }: TeamOptions): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/team/api-keys",
    access: owners,
    query: T.Object(includeMember),
    response: { 200: page(TeamKey, "TeamKeyList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listTeamKeys",
      summary: "List the firm's API keys",
      description: "Valid keys, newest first, each with its owner; secrets are never returned. `include` adds others.",
      tags,
    },
    handler: async ({ query: { include = "" }, request }) => {
      const all = await team.keys(callerOf(request));
      const listed = all.filter(({ key }) => isListed(key, include.split(","), runtime.now()));
      return { items: listed.map(({ key, user }) => ({ ...keyRecord(key), user })), next_cursor: null };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/team/api-keys/:key_id",
    access: owners,
    params: KeyPath,
    response: { ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "revokeTeamKey",
      summary: "Revoke a member's API key",
      description: "The key stops working from the next request on.",
      tags,
      responses: { 204: { description: "Revoked." } },
    },
    handler: async ({ params, request }) => {
      await team.revoke(callerOf(request), params.key_id);
      return new Response(null, { status: 204 });
    },
  }),
];

/** Services used by the team routes. */
type TeamRoutesServices = Omit<TeamOptions, "invitations">;

/** The routes with which a firm manages its people, for `app.ts`: everyone sees the members, owners make changes. */
export function teamRoutes(services: TeamRoutesServices): Route[] {
  const options = { ...services, invitations: createAttemptGuard(services.runtime, invitationsPerMinute) };
  const team = new Team(options);
  return [...memberRoutes(team), ...invitationRoutes(team), ...keyRoutes(team, options)];
}
