/** What one check of `assay verify` found. */
export interface Findings {
  readonly name: string;
  /** How many things were looked at. */
  readonly checked: number;
  /** A line for each thing that is wrong, the first ones of many. */
  readonly problems: readonly string[];
}

/** Lines kept of one check: a broken file can have millions. */
const problemLimit = 20;

/** Counts what a check looks at, tells `progress` of it now and then, and keeps what it finds wrong. */
export function createFindings(name: string, progress: (done: string) => void = () => undefined) {
  const problems: string[] = [];
  let checked = 0;
  let more = 0;
  return {
    count(): void {
      checked++;
      if (checked % 16_384 === 0) progress(`${name}: ${checked}`);
    },
    problem(line: string): void {
      if (problems.length < problemLimit) problems.push(line);
      else more++;
    },
    result: (): Findings => ({ name, checked, problems: more > 0 ? [...problems, `and ${more} more`] : problems }),
  };
}

/** So many rows are read between two breaths. */
export const breath = 65_536;

/** A check that reads without waiting waits for this between its rows: meanwhile progress is printed and signals are heard. */
export const breathe = (): Promise<void> => Bun.sleep(0);
