import { getDocumentProxy } from "unpdf";
import { type Extracted, type Extractor, type PageProgress, Refused, tidy } from "./blocks.ts";
import { lettersIn, pdfBlocks } from "./pdf-blocks.ts";
import { withoutHeadersAndFooters } from "./pdf-headers.ts";
import { type Line, readingOrder, type TextRun } from "./pdf-lines.ts";
import { withRaised } from "./pdf-raised.ts";
import { checkStreams } from "./pdf-streams.ts";

/** Maximum number of pages. No wording has more, and reading such a file could take hours. */
const pagesAtMost = 3_000;
/** Maximum text runs on one page and in total. A page of small print has some ten thousand, if one per glyph. */
const runsOnPage = 100_000;
const runsAtMost = 5_000_000;
/** Number of letters below which a page counts as an image. */
const lettersAtLeast = 25;
/** Share of characters without meaning above which the text is unreadable. */
const oddAtMost = 0.2;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;

/** Opens the file. Throws `Refused` with the reason if it can't be opened. */
async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // The parser takes ownership of the bytes, so it gets a copy.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") throw new Refused("encrypted");
    throw new Refused("broken", "the PDF can't be opened: its structure is damaged");
  }
}

function runOf(item: TextContent["items"][number]): TextRun | undefined {
  if (!("str" in item) || item.str.trim() === "") return undefined;
  const [, , c = 0, d = 0, x = 0, y = 0] = item.transform.map(Number);
  return { text: item.str, x, y, width: item.width, size: Math.hypot(c, d) || item.height || 10, font: item.fontName };
}

/** Streams a page's text runs from the parser, because a small file can expand to an endless page. */
async function runsOf(page: Page): Promise<TextRun[]> {
  const runs: TextRun[] = [];
  const reader = page.streamTextContent().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { items }: TextContent = next.value;
    for (const item of items) {
      const run = runOf(item);
      if (run) runs.push(run);
    }
    if (runs.length > runsOnPage) {
      const refused = new Refused("too_large", `page ${page.pageNumber} has more text than a page can hold`);
      await reader.cancel(refused);
      throw refused;
    }
  }
  return runs;
}

async function linesOf(pdf: Pdf, progress: PageProgress): Promise<Line[][]> {
  const { numPages } = pdf;
  const pages: Line[][] = [];
  let runs = 0;
  for (let at = 1; at <= numPages; at++) {
    const page = await pdf.getPage(at);
    const onPage = await runsOf(page);
    runs += onPage.length;
    if (runs > runsAtMost) throw new Refused("too_large", "its pages have too much text in total: split it");
    pages.push(readingOrder(withRaised(onPage), page.getViewport({ scale: 1 }).width));
    page.cleanup();
    progress(at, numPages);
  }
  return pages;
}

/** Returns notes on pages without text. Throws `Refused` if the document has no usable text. */
function checkText(pages: readonly (readonly Line[])[]): string[] {
  const texts = pages.map((lines) => lines.map(({ text }) => text).join(" "));
  const all = texts.join(" ");
  if (lettersIn(all) < lettersAtLeast && !/[^\s\d]/.test(all)) throw new Refused("scanned");
  const odd = all.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  if (odd > all.length * oddAtMost) throw new Refused("unreadable");
  const bare = texts.flatMap((text, i) => (lettersIn(text) < lettersAtLeast ? [i + 1] : []));
  if (bare.length === pages.length) throw new Refused("scanned");
  if (bare.length > pages.length / 2)
    throw new Refused(
      "scanned",
      `${bare.length} of its ${pages.length} pages are images without text: recognise the text (OCR) with another tool first`,
    );
  return bare.length === 0
    ? []
    : [`no text on ${bare.length} of ${pages.length} pages (${bare.slice(0, 8).join(", ")})`];
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? tidy(info.Title) : "";
  // Word processors write the file name there.
  return title.length < 4 || /\.(docx?|odt|rtf|pdf|indd|qxd|pptx?|xlsx?|html?|txt|tmp)$|^microsoft word/i.test(title)
    ? null
    : title;
}

/** Extracts the text page by page, yielding to the event loop in between. */
async function extract(bytes: Uint8Array, progress: PageProgress): Promise<Extracted> {
  checkStreams(bytes);
  const pdf = await open(bytes);
  try {
    const { numPages } = pdf;
    if (numPages > pagesAtMost)
      throw new Refused("too_large", `it has ${numPages} pages, but the limit is ${pagesAtMost}: split it`);
    const pages = await linesOf(pdf, progress);
    const bare = checkText(pages);
    const { pages: texts, notes } = withoutHeadersAndFooters(pages);
    const blocks = pdfBlocks(texts);
    const first = blocks.find(({ kind, level, page }) => kind === "heading" && level === 1 && page === 1)?.text;
    const title = (await titleOf(pdf)) ?? first ?? null;
    return { format: "pdf", blocks, pages: numPages, title, language: null, notes: [...bare, ...notes] };
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("broken", "a page of the PDF can't be read");
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** PDF documents: headings by font, tables by column, without page headers and footers. */
export const pdf: Extractor = { format: "pdf", extensions: [".pdf"], extract };
