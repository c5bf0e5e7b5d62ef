import type { PoolSide } from "./shared.ts";

/**
 * Number of consecutive unanswered requests after which a thread counts as silent: it is in code that never checks in.
 */
const silentAfter = 2;

/**
 * Attributes the process's memory growth to a job. A job is charged with the heap size that its thread reports; if the
 * thread is silent, with the growth that no other thread's heap explains.
 */
export class MemoryWatch {
  private began: number;
  private toldBefore: number;
  private last: number;
  private baseline: number | undefined;
  private unanswered = 0;
  /** Bytes attributed to finished jobs that the process has not yet returned. */
  private left = 0;

  /** `resident` returns the process's resident size in bytes; `others`, the watches of the other running jobs. */
  constructor(
    private readonly resident: () => number,
    private readonly shared: PoolSide,
    private readonly others: () => readonly MemoryWatch[],
  ) {
    this.began = this.last = resident();
    this.toldBefore = this.toldByOthers();
    shared.ask();
  }

  /**
   * Whether the process has grown by more than `bytes` since the job began, and no other job accounts for more of it.
   */
  exceeds(bytes: number): boolean {
    if (!this.shared.hasBegun()) {
      // A starting thread takes some 100 MiB for our own code and, on a busy machine, seconds. The input is not to
      // blame.
      this.began = this.last = this.resident();
      this.toldBefore = this.toldByOthers();
      this.left = 0;
      return false;
    }
    if (!this.shared.hasAnswered()) this.unanswered++;
    else {
      this.baseline ??= this.shared.heap();
      this.unanswered = 0;
      this.shared.ask();
    }
    const now = this.resident();
    this.left = Math.max(0, this.left - Math.max(0, this.last - now));
    this.last = now;
    if (this.processGrowth() <= bytes) return false;
    const own = this.growth();
    return !this.others().some((other) => other.growth() > own);
  }

  /** Must be called when the job is finished, so that the other jobs are not charged with what it leaves behind. */
  over(): void {
    // The heap may be larger than the memory that the process took for it.
    const left = Math.max(0, Math.min(this.growth(), this.processGrowth()));
    for (const other of this.others()) other.left += left;
  }

  /** Bytes attributed to the job. */
  private growth(): number {
    if (this.baseline !== undefined && this.unanswered < silentAfter) return this.told();
    return this.processGrowth() - (this.toldByOthers() - this.toldBefore);
  }

  private processGrowth(): number {
    return this.resident() - this.began - this.left;
  }

  /** Growth of the thread's heap in bytes, as last reported. */
  private told(): number {
    return this.baseline === undefined ? 0 : this.shared.heap() - this.baseline;
  }

  private toldByOthers(): number {
    return this.others().reduce((sum, other) => sum + other.told(), 0);
  }
}
