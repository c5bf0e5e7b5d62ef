import { extname } from "node:path";
import { type Extracted, type Extractor, type Format, type PageProgress, Refused } from "./blocks.ts";
import { docx } from "./docx.ts";
import { html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { pdf } from "./pdf.ts";
import { plain } from "./plain.ts";

/** A file may have so many bytes. */
export const fileBytesAtMost = 128 * 2 ** 20;

const extractors: readonly Extractor[] = [pdf, docx, html, markdown, plain];

const named = (file: string): Extractor | undefined =>
  extractors.find(({ extensions }) => extensions.includes(extname(file).toLowerCase()));

/** What a file's name says that it is; undefined: nothing that is read here. */
export const formatOf = (file: string): Format | undefined => named(file)?.format;

const begins = (bytes: Uint8Array, text: string): boolean =>
  new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024)).includes(text);

/** Texts may speak of PDF files at their beginning; the other formats don't. */
const isPdf = ({ format }: Extractor, bytes: Uint8Array): boolean =>
  format === "pdf" || (format !== "markdown" && format !== "text" && begins(bytes, "%PDF-"));

/** Reads a file by what its name says, and by what its bytes say where the name is wrong. Throws `Refused`. */
export async function extract(file: string, bytes: Uint8Array, progress: PageProgress): Promise<Extracted> {
  const extractor = named(file);
  if (extractor === undefined) throw new Refused("unsupported");
  if (bytes.length === 0) throw new Refused("empty");
  try {
    return await (isPdf(extractor, bytes) ? pdf : extractor).extract(bytes, progress);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Whatever a parser stumbles over: the file is not what it should be, and the others are to be read still.
    throw new Refused("broken");
  }
}
