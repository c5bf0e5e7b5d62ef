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
