import { apiKeysOfFirm } from "../../../db/queries/api-keys.ts";
import { firmById, membersOf, userById } from "../../../db/queries/firms.ts";
import { invitationsOf } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { ApiKeyTable, Role } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { enqueueMail, type Mailer } from "../../integrations/mail/mailer.ts";
import { composeMessage } from "../../integrations/mail/message.ts";
import { languageOf } from "../../integrations/mail/texts.ts";
import { present } from "../../platform/assert.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { AttemptGuard } from "../../web/attempts.ts";
import type { Creation } from "../admin/audit-context.ts";
import { createInvitation, withdrawInvitation } from "../admin/invitations.ts";
import { revokeKey } from "../admin/keys.ts";
import { changeRole, type Removed, removeMember } from "../admin/members.ts";
import { normalEmail } from "../admin/users.ts";
import { inviteLink } from "../auth/links.ts";
import type { SignUpMode } from "../auth/sign-up.ts";
import type { TeamInvitation, TeamInvitationRequest, TeamMember } from "./schema.ts";

/** Maximum number of open invitations per firm, so that a firm cannot send bulk mail through the installation. */
const openAtMost = 50;
/** Invitations that a firm may send per minute. */
export const invitationsPerMinute = 10;

export interface TeamOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly mailer: Mailer;
  readonly signUpMode: SignUpMode;
  readonly baseUrl: string;
  /** Limits each firm's invitations. */
  readonly invitations: AttemptGuard;
}

const stateOf = ({ accepted_at, expires_at }: InvitationTable, now: number): TeamInvitation["state"] =>
  accepted_at !== null ? "accepted" : expires_at <= now ? "expired" : "open";

const invitationView = (one: InvitationTable, now: number): TeamInvitation => ({
  id: one.id,
  email: one.email,
  role: one.role,
  state: stateOf(one, now),
  created_at: rfc3339(one.created_at),
  expires_at: rfc3339(one.expires_at),
  accepted_at: rfc3339OrNull(one.accepted_at),
});

/** A firm's self-management of its people. The routes check who may do what. */
export class Team {
  constructor(private readonly options: TeamOptions) {}

  private audit(caller: Principal): Creation {
    const { runtime } = this.options;
    return { actor: actorOf(caller), at: runtime.now(), runtime };
  }

  /** Returns a member of the firm. Throws `not_found`. */
  private async member(db: Db, firm_id: string, id: string) {
    const found = (await membersOf(db, firm_id)).find((one) => one.id === id);
    if (!found) throw failure("not_found");
    return found;
  }

  /** Lists everyone in the caller's firm, in the order in which they joined. */
  async members(caller: Principal): Promise<TeamMember[]> {
    const rows = await membersOf(this.options.store.read, caller.firm_id);
    return rows
      .toSorted((a, b) => a.joined_at - b.joined_at || a.id.localeCompare(b.id))
      .map(({ id, email, full_name, role, joined_at, last_sign_in_at }) => ({
        ...{ id, email, full_name, role },
        joined_at: rfc3339(joined_at),
        last_sign_in_at: rfc3339OrNull(last_sign_in_at),
        current: id === caller.user_id,
      }));
  }

  /** Changes a person's role. Throws `not_found`, and `validation_error` for the last owner. */
  async setRole(caller: Principal, user_id: string, role: Role): Promise<TeamMember> {
    const { firm_id } = caller;
    await this.options.store.write(async (tx) => {
      await this.member(tx, firm_id, user_id);
      await changeRole(tx, this.audit(caller), { firm_id, user_id }, role);
    });
    return present(
      (await this.members(caller)).find(({ id }) => id === user_id),
      "the member",
    );
  }

  /** Removes a person from the firm. Throws `not_found`, and `validation_error` for the last owner. */
  remove(caller: Principal, user_id: string): Promise<Removed> {
    return this.options.store.write(async (tx) => {
      await this.member(tx, caller.firm_id, user_id);
      return removeMember(tx, this.audit(caller), caller.firm_id, user_id);
    });
  }

  async invited(caller: Principal): Promise<TeamInvitation[]> {
    const now = this.options.runtime.now();
    return (await invitationsOf(this.options.store.read, caller.firm_id)).map((one) => invitationView(one, now));
  }

  /**
   * Invites an address, by mail if possible; otherwise `link` has to be handed over. Throws `validation_error` if the
   * address is invalid or already in the firm, if sign-up is off, or if too many invitations are open.
   */
  async invite(caller: Principal, { email, role, locale }: TeamInvitationRequest) {
    const { store, mailer, runtime, baseUrl, signUpMode, invitations } = this.options;
    const { firm_id, user_id } = caller;
    if (signUpMode === "off") throw invalid("/body", "can't be accepted: sign-up is disabled here. Ask the operator");
    invitations.check(firm_id);
    invitations.count(firm_id);
    const isHandedOver = !mailer.isConfigured;
    const made = await store.write(async (tx) => {
      const audit = this.audit(caller);
      if ((await membersOf(tx, firm_id)).some((one) => one.email === normalEmail(email)))
        throw invalid("/body/email", "already belongs to a member of the firm");
      const open = (await invitationsOf(tx, firm_id)).filter((one) => stateOf(one, audit.at) === "open");
      if (open.length >= openAtMost)
        throw invalid("/body", `can't be invited yet: ${openAtMost} invitations are already open. Withdraw one first`);
      const given = { firm_id, email, role, invited_by: user_id, isHandedOver };
      const { invitation, secret } = await createInvitation(tx, audit, given);
      const link = inviteLink(baseUrl, secret);
      if (isHandedOver) return { invitation, link };
      const firm = present(await firmById.first(tx, { id: firm_id }), "the caller's firm").name;
      const language = languageOf(locale ?? (await userById(tx, user_id))?.locale ?? "en");
      const message = composeMessage("invitation", language, { link, firm });
      await enqueueMail(tx, runtime, invitation.email, message, audit.at);
      return { invitation, link: null };
    });
    mailer.wake();
    return { ...invitationView(made.invitation, runtime.now()), link: made.link };
  }

  /** Withdraws an invitation. Throws `not_found` if it is not the firm's or was accepted. */
  async withdraw(caller: Principal, id: string): Promise<void> {
    const { store } = this.options;
    if (!(await store.write((tx) => withdrawInvitation(tx, this.audit(caller), caller.firm_id, id))))
      throw failure("not_found");
  }

  /** Lists every key of the firm's people with its owner, newest first. People who have left have no valid keys. */
  async keys(caller: Principal) {
    const { read } = this.options.store;
    const people = new Map((await membersOf(read, caller.firm_id)).map((one) => [one.id, one]));
    return (await apiKeysOfFirm(read, caller.firm_id)).toReversed().flatMap((key) => {
      const user = people.get(key.user_id);
      return user ? [{ key, user: { id: user.id, email: user.email, full_name: user.full_name } }] : [];
    });
  }

  /** Revokes any key of the firm. Idempotent. Throws `not_found`. */
  revoke(caller: Principal, id: string): Promise<void> {
    return this.options.store.write(async (tx) => {
      const key: ApiKeyTable | undefined = (await apiKeysOfFirm(tx, caller.firm_id)).find((one) => one.id === id);
      if (!key) throw failure("not_found");
      await revokeKey(tx, this.audit(caller), caller.firm_id, id);
    });
  }
}
