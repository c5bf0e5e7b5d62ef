import { getDomain, parse } from "tldts";
import type { Computing } from "../../../contracts/computing.ts";
import { EngineError } from "../../../contracts/engine.ts";
import { type Outbound, OutboundError } from "../../../integrations/outbound/types.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pageReading, type ReadPage } from "./computation.ts";
import type { PageFacts, Site } from "./facts.ts";
import { createRobots, pauseMax } from "./robots.ts";
import { key } from "./text.ts";

/** The polite client: reads the requested page, and at most five more of the same site, one after the other. */

const pagesMax = 6;
const pageBytes = 2_000_000;
const pageTimeout = 15_000;
/** Time in milliseconds after which no further page is requested. */
const enough = 60_000;
const htmlTypes = ["text/html", "application/xhtml+xml"];
const headers = {
  accept: "text/html,application/xhtml+xml",
  "accept-language": "en, cs, sk, de, pl, fr;q=0.8, *;q=0.5",
};
/** Minimum number of visible characters. A page with fewer, and with scripts, is rendered in the browser. */
const visibleMin = 200;

export interface ReadSite {
  readonly site: Site;
  readonly notes: readonly string[];
}

export interface Reader {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly computing: Computing;
  readonly firm: string;
  readonly signal: AbortSignal;
  readonly progress: ((stage: string, completed: number, total: number) => void) | undefined;
}

const failed = (code: string, message: string, retryable = false): EngineError =>
  new EngineError(code, message, retryable);

/** Maps the outbound guard's errors to what they mean for a company's site. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  if (error.code === "url_not_allowed") return failed("url_not_allowed", error.message);
  if (error.code === "content_type") return failed("not_html", "The address does not lead to an HTML page.");
  if (error.code === "too_large") return failed("page_too_large", "The page is larger than 2 MB.");
  return failed("site_unreachable", error.message, error.retryable);
}

function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  if (status === 404 || status === 410)
    throw failed("page_not_found", `The site answers with ${status}: no such page.`);
  if (status === 429 || status >= 500)
    throw failed("site_unreachable", `The site answers with ${status} at the moment.`, true);
  throw failed("site_refused", `The site refuses to show the page: it answers with ${status}.`);
}

const parked =
  /(this domain (name )?(is|may be) (for sale|parked|available)|buy this domain|domain (name )?is for sale|domain parking|parked (free|domain)|this (web)?site is under construction|domena (je )?(na prodej|na predaj|zaparkovana)|tato domena|diese domain (steht|ist|wurde)|domain (zu verkaufen|geparkt)|ta domena jest na sprzedaz|domena (jest )?na sprzedaz|ce (nom de )?domaine est (a vendre|en vente)|default web (site )?page|apache2? (ubuntu |debian )?default page|welcome to nginx|iis windows server|index of )/;

/** Throws for a page that has nothing about a company: empty, parked, or rendered by scripts only. */
function checkContent(page: PageFacts): void {
  const { text, title, meta, things, scripts, headings } = page;
  const said = text.trim().length;
  const head = key(`${title} ${text.slice(0, 600)}`);
  if (said < 2_000 && parked.test(head))
    throw failed("domain_parked", "The page belongs to a host or registrar, not to a company.");
  const hasHead = Boolean(meta.description || meta["og:site_name"] || meta["og:description"] || things.length > 0);
  if (said >= visibleMin || hasHead || (said > 0 && headings.length > 0 && scripts === 0)) return;
  if (scripts > 0)
    throw failed("page_needs_javascript", "The page shows its content only with JavaScript, which is not run here.");
  if (said === 0 && !title) throw failed("page_empty", "The page is empty.");
}

const siteOf = (address: string): string => getDomain(address) ?? new URL(address).hostname;

/** Returns the label and the top-level domain of the site that a page belongs to. */
export function placeOf(page: PageFacts): Pick<Site, "label" | "tld"> {
  const own = page.meta["og:url"] ?? page.url;
  const { domain, domainWithoutSuffix, publicSuffix } = getDomain(page.url) ? parse(page.url) : parse(own);
  return domain
    ? { label: domainWithoutSuffix, tld: publicSuffix?.split(".").at(-1) ?? null }
    : { label: null, tld: null };
}

/** Waits `ms` milliseconds. Rejects with the signal's reason when it is aborted. */
function pause({ clock, signal }: Reader, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const leave = () => {
      disarm();
      reject(signal.reason);
    };
    const disarm = clock.after(ms, () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    signal.addEventListener("abort", leave, { once: true });
  });
}

/**
 * Reads a company's site. Throws `EngineError`: url_not_allowed, robots_disallowed, site_unreachable (retryable if it
 * may be up later), site_refused, page_not_found, not_html, page_too_large, page_unreadable, page_empty, domain_parked
 * and page_needs_javascript. A problem with a further page becomes a note.
 */
export async function readSite(address: string, reader: Reader): Promise<ReadSite> {
  const { outbound, clock, computing, firm, signal, progress } = reader;
  const asked = { firm, signal };
  const robots = createRobots(outbound, computing, asked);
  const notes: string[] = [];
  const started = clock.now();

  async function read(url: string, sameSite?: string): Promise<ReadPage> {
    const allow_hop = async (hop: URL): Promise<boolean> => {
      if (sameSite !== undefined && siteOf(hop.href) !== sameSite) return false;
      if (!(await robots(hop)).allows)
        throw failed("robots_disallowed", "The site's robots.txt does not allow AssayBot to read the page.");
      return true;
    };
    const bounds = { max_bytes: pageBytes, timeout_ms: pageTimeout, content_types: htmlTypes };
    const answer = await outbound.fetch(url, { ...bounds, headers, signal, policy: { allow_hop } });
    checkStatus(answer.status);
    const { body, headers: given, url: address } = answer;
    return computing.run(
      pageReading,
      { body, content_type: given.get("content-type"), url: address, pages: pagesMax - 1 },
      asked,
    );
  }

  async function readFirst(): Promise<ReadPage> {
    const { page, further } = await read(address);
    if (page.forward === null || page.text.trim().length >= visibleMin) return { page, further };
    return read(page.forward, siteOf(page.url));
  }

  progress?.("reading the page", 0, pagesMax);
  const { page: first, further: promising } = await readFirst().catch((error: unknown) => {
    throw failureOf(error);
  });
  checkContent(first);
  const home = new URL("/", first.url).href;
  const further = [...(first.url === home ? [] : [home]), ...promising.filter((url) => url !== home)];
  const wanted = further.slice(0, pagesMax - 1);
  const pages: [PageFacts, ...PageFacts[]] = [first];
  const { pause_ms } = await robots(new URL(first.url));
  if (pause_ms > pauseMax && wanted.length > 0) {
    notes.push("Only one page was read: the site's robots.txt asks for long pauses between requests.");
    wanted.length = 0;
  }
  for (const [at, url] of wanted.entries()) {
    progress?.("reading the site", at + 1, wanted.length + 1);
    if (clock.now() - started > enough) {
      notes.push("The site is slow: not all pages that looked useful were read.");
      break;
    }
    if (pause_ms > 0) await pause(reader, pause_ms);
    try {
      const { page } = await read(url, siteOf(first.url));
      if (!pages.some((known) => known.url === page.url)) pages.push(page);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const reason = failureOf(error);
      if (!(reason instanceof EngineError)) throw reason;
      notes.push(`${new URL(url).pathname} was not read: ${reason.code}.`);
    }
  }
  if (first.text.trim().length < visibleMin && first.scripts > 0)
    notes.push(
      "The page shows most of its content only with JavaScript, which is not run: the rest comes from its head.",
    );
  return { site: { pages, ...placeOf(first) }, notes };
}
