import { extname } from "node:path";
import { type Extracted, type Format, Refused } from "./blocks.ts";
import { extractDocx } from "./docx.ts";
import { extractHtml } from "./html.ts";
import { extractMarkdown } from "./markdown.ts";
import { extractPdf, type PageProgress } from "./pdf.ts";
import { extractPlain } from "./plain.ts";

/** A file may have so many bytes. */
export const fileBytesAtMost = 128 * 2 ** 20;

const byExtension: Readonly<Record<string, Format>> = {
  ".pdf": "pdf",
  ".docx": "docx",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".md": "markdown",
  ".markdown": "markdown",
  ".txt": "text",
  ".text": "text",
};

/** What a file's name says that it is; undefined: nothing that is read here. */
export const formatOf = (file: string): Format | undefined => byExtension[extname(file).toLowerCase()];

const begins = (bytes: Uint8Array, text: string): boolean =>
  new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024)).includes(text);

/** Reads a file by what its name says, and by what its bytes say where the name is wrong. Throws `Refused`. */
export async function extract(file: string, bytes: Uint8Array, progress: PageProgress): Promise<Extracted> {
  const named = formatOf(file);
  if (named === undefined) throw new Refused("unsupported");
  if (bytes.length === 0) throw new Refused("empty");
  const format = begins(bytes, "%PDF-") && named !== "markdown" && named !== "text" ? "pdf" : named;
  if (format === "pdf") return extractPdf(bytes, progress);
  try {
    if (format === "docx") return extractDocx(bytes);
    if (format === "html") return extractHtml(bytes);
    return format === "markdown" ? extractMarkdown(bytes) : extractPlain(bytes);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Whatever a parser stumbles over: the file is not what it should be, and the others are to be read still.
    throw new Refused("broken");
  }
}
