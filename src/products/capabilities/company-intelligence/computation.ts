import type { Computation } from "../../../contracts/computing.ts";
import type { PageFacts, Site } from "./facts.ts";
import type { CompanyIntelligenceOutput } from "./schema.ts";

/** A page as the site sent it. */
export interface FetchedPage {
  readonly body: Uint8Array;
  readonly content_type: string | null;
  /** Its address, after redirects. */
  readonly url: string;
  /** Maximum number of further pages wanted. */
  readonly pages: number;
}

/** A parsed page, and the pages of the same site that are worth reading, the most promising first. */
export interface ReadPage {
  readonly page: PageFacts;
  readonly further: readonly string[];
}

/** A host's robots.txt, and the address to be fetched from that host. */
export interface RobotsFile {
  /** The address of the file. */
  readonly address: string;
  readonly file: Uint8Array;
  readonly url: string;
}

/** What the file says about the address. */
export interface RobotsRules {
  readonly allows: boolean;
  /** Pause in milliseconds that the host wants between two requests. */
  readonly pause_ms: number;
}

/** Size in bytes above which parsing a page may take longer than a few dozen milliseconds. */
const large = 200_000;

/** Parsing a page, as a computation for the thread pool. */
export const pageReading: Computation<FetchedPage, ReadPage> = {
  name: "page-reading",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: ({ body }) => body.length > large,
  async load() {
    const { readFetched } = await import("./read-page.ts");
    return readFetched;
  },
};

/** Size in bytes above which matching an address may take longer than a few dozen milliseconds. */
const largeRobots = 10_000;

/**
 * Parsing a robots.txt, as a computation for the thread pool. A site can craft one that takes seconds: each agent's
 * rules are stored once per agent, and after a wildcard each character is compared with every position of the address.
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

/** Judging a site by its parsed pages, as a computation for the thread pool. */
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
