import type { Computation } from "../../../contracts/computing.ts";
import type { PageFacts, Site } from "./facts.ts";
import type { CompanyIntelligenceOutput } from "./schema.ts";

/** A page as the site sent it. */
export interface FetchedPage {
  readonly body: Uint8Array;
  readonly content_type: string | null;
  /** Where it is from, after redirects. */
  readonly url: string;
  /** How many further pages are wanted at most. */
  readonly pages: number;
}

/** What a page says, and where it leads: the pages of the same site that are worth reading, the most promising first. */
export interface ReadPage {
  readonly page: PageFacts;
  readonly further: readonly string[];
}

/** A host's robots.txt, and the address that is to be fetched from there. */
export interface RobotsFile {
  /** Where the file is from. */
  readonly address: string;
  readonly file: Uint8Array;
  readonly url: string;
}

/** What the file says of the address. */
export interface RobotsRules {
  readonly allows: boolean;
  /** Milliseconds that the host wants between two requests. */
  readonly pause_ms: number;
}

/** Bytes from which reading a page may take longer than a few dozen milliseconds. */
const large = 200_000;

/** Reading a page, as a computation for the pool of threads. */
export const pageReading: Computation<FetchedPage, ReadPage> = {
  name: "page-reading",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: ({ body }) => body.length > large,
  async load() {
    const { readFetched } = await import("./read-page.ts");
    return readFetched;
  },
};

/** Bytes from which matching an address may take longer than a few dozen milliseconds: each costs up to its length. */
const largeRobots = 10_000;

/**
 * Reading a robots.txt, as a computation for the pool. A site can make one that takes seconds: each agent's rules are kept
 * once for each agent, and after a wildcard each character is compared with every place of the address.
 */
export const robotsReading: Computation<RobotsFile, RobotsRules> = {
  name: "robots-reading",
  budget: { ms: 1_000, memory_mib: 256 },
  isHeavy: ({ file }) => file.length > largeRobots,
  async load() {
    const { readRobots } = await import("./read-robots.ts");
    return readRobots;
  },
};

/** Judging a site by what was read of it. */
export const siteProfile: Computation<
  { readonly site: Site; readonly notes: readonly string[] },
  CompanyIntelligenceOutput
> = {
  name: "site-profile",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: () => true,
  async load() {
    const { profileOf } = await import("./site-profile.ts");
    return ({ site, notes }) => profileOf(site, notes);
  },
};
