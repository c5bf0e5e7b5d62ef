import { deleteMailBefore, dueMail, insertMail, updateMail } from "../../../db/queries/mail-outbox.ts";
import type { MailTable } from "../../../db/schema/auth-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { type Clock, day, minute, second } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Message } from "./message.ts";
import type { Transport } from "./smtp.ts";

/** Age at which an unsent message is abandoned: its link has expired by then. */
const giveUpAfter = day;
/** How long a message is kept. */
const keptFor = 30 * day;
const firstRetry = 30 * second;
const longestRetry = 30 * minute;
/** How often the outbox is polled for messages from other processes. */
const pollEvery = 30 * second;
const batch = 20;

/** Adds a message to the outbox, in the transaction that it reports on. */
export async function enqueueMail(
  tx: Db,
  runtime: Pick<Runtime, "id">,
  recipient: string,
  message: Message,
  at: number,
): Promise<void> {
  await deleteMailBefore(tx, at - keptFor);
  const waiting = { due_at: at, attempts: 0, last_error: null, sent_at: null };
  await insertMail(tx, { id: runtime.id(), recipient, ...message, created_at: at, ...waiting });
}

export interface Mailer {
  /** Whether mail is sent. If not, messages stay in the outbox for the operator. */
  readonly isConfigured: boolean;
  /** Starts sending. */
  start(): void;
  /** Signals that the outbox may have new messages. */
  wake(): void;
  /** Resolves when no message that is due is left to try. */
  idle(): Promise<void>;
  /** Stops sending, after the message in progress. */
  stop(): Promise<void>;
}

/** Returns the delay after this many failures. */
const backoff = (attempts: number): number => Math.min(firstRetry * 2 ** (attempts - 1), longestRetry);

/** Returns the SMTP server's error, with the addresses that it repeats removed. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/<?[^\s<>]+@[^\s<>]+>?/g, "(address)").slice(0, 300);

export interface MailerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: Transport | undefined;
}

/** Creates the mailer, which retries each message until a server accepts it or it is a day old. */
export function createMailer({ store, clock, log, transport }: MailerOptions): Mailer {
  let started = false;
  let underWay: Promise<void> | undefined;
  let again = false;
  let cancel: (() => void) | undefined;

  async function send(mail: MailTable, out: Transport): Promise<void> {
    try {
      await out.send(mail);
      // The text may contain a valid link, so it is deleted as soon as it is no longer needed.
      const sent = { sent_at: clock.now(), due_at: null, attempts: mail.attempts + 1, last_error: null };
      await store.write((tx) => updateMail(tx, mail.id, { ...sent, text: "", html: "" }));
    } catch (error) {
      const attempts = mail.attempts + 1;
      const next = clock.now() + backoff(attempts);
      const givenUp = next - mail.created_at > giveUpAfter;
      const reason = reasonOf(error);
      const failed = { attempts, last_error: reason, due_at: givenUp ? null : next };
      await store.write((tx) => updateMail(tx, mail.id, givenUp ? { ...failed, text: "", html: "" } : failed));
      log.warn(givenUp ? "gave up sending a mail" : "could not send a mail", { mail: mail.id, attempts, reason });
    }
  }

  async function sendDue(out: Transport): Promise<void> {
    do {
      again = false;
      const due = await dueMail(store.read, clock.now(), batch);
      for (const mail of due) if (started) await send(mail, out);
      again ||= due.length === batch;
    } while (again && started);
  }

  function run(): void {
    if (!started || !transport) return;
    if (underWay) {
      again = true;
      return;
    }
    cancel?.();
    underWay = sendDue(transport)
      .catch((error) => log.error("the outbox could not be processed", { error }))
      .finally(() => {
        underWay = undefined;
        if (started) cancel = clock.after(pollEvery, run);
      });
  }

  async function idle(): Promise<void> {
    while (underWay) await underWay;
  }

  return {
    isConfigured: transport !== undefined,
    start() {
      started = true;
      run();
    },
    wake: run,
    idle,
    async stop() {
      started = false;
      cancel?.();
      await idle();
      transport?.close();
    },
  };
}
