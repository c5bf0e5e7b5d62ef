import type { PoolSide } from "./shared.ts";

/** A thread that has left so many questions unanswered in a row is busy with something that never looks. */
const silentAfter = 2;

/**
 * How much of the process's memory a job answers for. Memory has no owner: so a job answers for what its thread tells of
 * its own heap, and one whose thread is silent for what nobody else's heap explains.
 */
export class MemoryWatch {
  private began: number;
  private toldBefore: number;
  private last: number;
  private baseline: number | undefined;
  private unanswered = 0;
  /** Bytes that jobs which are over answered for, until the process has given them back. */
  private left = 0;

  /** `resident`: bytes of the process. `others`: the watches of the jobs beside it. */
  constructor(
    private readonly resident: () => number,
    private readonly shared: PoolSide,
    private readonly others: () => readonly MemoryWatch[],
  ) {
    this.began = this.last = resident();
    this.toldBefore = this.toldByOthers();
    shared.ask();
  }

  /** Whether the process has grown by more than `bytes` since the job began, and no other answers for more of that. */
  exceeds(bytes: number): boolean {
    if (!this.shared.hasBegun()) {
      // A thread that starts takes some 100 MiB for our own code, and on a busy machine seconds: no input has done that.
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

  /** To be called when the job is over: the jobs beside it don't answer for what it leaves behind. */
  over(): void {
    // A heap's figure may be more than what the process has taken for it.
    const left = Math.max(0, Math.min(this.growth(), this.processGrowth()));
    for (const other of this.others()) other.left += left;
  }

  /** Bytes that the job answers for. */
  private growth(): number {
    if (this.baseline !== undefined && this.unanswered < silentAfter) return this.told();
    return this.processGrowth() - (this.toldByOthers() - this.toldBefore);
  }

  private processGrowth(): number {
    return this.resident() - this.began - this.left;
  }

  /** Bytes that the thread's heap has grown by, as far as it has told. */
  private told(): number {
    return this.baseline === undefined ? 0 : this.shared.heap() - this.baseline;
  }

  private toldByOthers(): number {
    return this.others().reduce((sum, other) => sum + other.told(), 0);
  }
}
