import { EngineError } from "../../../contracts/engine.ts";
import { Refused } from "../../../knowledge/corpus/blocks.ts";
import type { FetchedPage, ReadPage } from "./computation.ts";
import type { Link, PageFacts } from "./facts.ts";
import { decode, readPage } from "./page.ts";
import { key } from "./text.ts";
import { pagesWorthALook } from "./words.ts";

function factsOf({ body, content_type, url }: FetchedPage): PageFacts {
  let html: string;
  try {
    html = decode(body, content_type);
  } catch (error) {
    if (error instanceof Refused) throw new EngineError("not_html", "The page is not text.", false);
    throw error;
  }
  const page = readPage(html, url);
  if (!page) throw new EngineError("page_unreadable", "The page's elements are nested too deep to be read.", false);
  return page;
}

/** Returns the other pages worth reading, the most promising first: products, about, imprint, contact. */
function pagesToRead({ links, url }: PageFacts, most: number): string[] {
  const host = new URL(url).host;
  const seen = new Set([url]);
  const fits = (link: Link): boolean => {
    const target = new URL(link.href);
    const isPage =
      target.host === host &&
      target.search.length < 40 &&
      !/\.(?!html?$|php$|aspx?$|jsp$)\w{2,5}$/i.test(target.pathname);
    return isPage && /^https?:$/.test(target.protocol) && link.text.split(" ").length <= 5;
  };
  const candidates = links.filter(fits).map((link) => {
    const target = new URL(link.href);
    target.hash = "";
    return { href: target.href, label: key(link.text), path: key(decoded(target.pathname)) };
  });
  const chosen = pagesWorthALook.flatMap(({ pattern, most: ofThem }) => {
    const named = (one: { label: string; path: string }) => one.label.search(pattern) >= 0;
    const byPath = (one: { label: string; path: string }) => !named(one) && one.path.search(pattern) >= 0;
    const hrefs = [...candidates.filter(named), ...candidates.filter(byPath)].map(({ href }) => href);
    const fresh = [...new Set(hrefs)].filter((href) => !seen.has(href)).slice(0, ofThem);
    for (const href of fresh) seen.add(href);
    return fresh;
  });
  return chosen.slice(0, most);
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parses a page that was fetched. Runs in a worker thread. Throws `not_html` and `page_unreadable`. */
export function readFetched(fetched: FetchedPage): ReadPage {
  const page = factsOf(fetched);
  return { page, further: pagesToRead(page, fetched.pages) };
}
