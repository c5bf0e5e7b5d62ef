/** Maximum number of queued tasks, in total and per firm. Further ones are rejected. */
const most = 256;
const mostOfFirm = 64;

interface Entry<Job> {
  readonly job: Job;
  readonly firm: string;
  readonly isUrgent: boolean;
}

/**
 * The queue for the models. Tasks that a caller awaits come before those read ahead. Firms take turns: the least
 * recently served one is next.
 */
export class Waiting<Job> {
  #entries: Entry<Job>[] = [];
  /** When each firm with queued tasks was last served, as a turn number. */
  readonly #served = new Map<string, number>();
  #turn = 0;

  /** Adds a job; returns false if the queue is full. */
  add(job: Job, firm: string, isUrgent: boolean): boolean {
    const own = this.#entries.filter((entry) => entry.firm === firm).length;
    if (this.#entries.length >= most || own >= mostOfFirm) return false;
    this.#entries.push({ job, firm, isUrgent });
    return true;
  }

  take(): Job | undefined {
    const urgent = this.#entries.filter(({ isUrgent }) => isUrgent);
    const servedAt = ({ firm }: Entry<Job>) => this.#served.get(firm) ?? 0;
    const [next] = (urgent.length > 0 ? urgent : this.#entries).toSorted((a, b) => servedAt(a) - servedAt(b));
    if (next === undefined) return undefined;
    this.#turn += 1;
    this.#served.set(next.firm, this.#turn);
    this.remove(next.job);
    return next.job;
  }

  remove(job: Job): void {
    this.#entries = this.#entries.filter((entry) => entry.job !== job);
    if (this.#entries.length > 0) return;
    this.#served.clear();
    this.#turn = 0;
  }

  all(): readonly Job[] {
    return this.#entries.map(({ job }) => job);
  }
}
