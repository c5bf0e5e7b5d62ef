/** The result of one check of `assay verify`. */
export interface Findings {
  readonly name: string;
  /** Number of items checked. */
  readonly checked: number;
  /** One line per problem, at most the first few. */
  readonly problems: readonly string[];
}

/** Maximum number of problems kept per check: a damaged file can have millions. */
const problemLimit = 20;

/** Collects the result of a check: counts items, reports the count to `progress` at intervals, and keeps problems. */
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

/** Number of rows read between yields. */
export const breath = 65_536;

/**
 * Yields to the event loop. A check that reads synchronously awaits this between rows, so that progress is printed and
 * signals are handled.
 */
export const breathe = (): Promise<void> => Bun.sleep(0);
