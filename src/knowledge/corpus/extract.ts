import { extname } from "node:path";
import { type Extracted, type Extractor, type Format, type PageProgress, Refused } from "./blocks.ts";
import { docx } from "./docx.ts";
import { html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { pdf } from "./pdf.ts";
import { plain } from "./plain.ts";

/** Maximum size of a file in bytes. */
export const fileBytesAtMost = 128 * 2 ** 20;

const extractors: readonly Extractor[] = [pdf, docx, html, markdown, plain];

const named = (file: string): Extractor | undefined =>
  extractors.find(({ extensions }) => extensions.includes(extname(file).toLowerCase()));

/** Returns the format that a file's extension stands for; undefined if it is not supported. */
export const formatOf = (file: string): Format | undefined => named(file)?.format;

const beginningOf = (bytes: Uint8Array): string => new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));

const begins = (bytes: Uint8Array, text: string): boolean => beginningOf(bytes).includes(text);

/** File signatures, with the formats whose extension such a file may have. Only text formats exclude a PDF. */
const beginnings: readonly { begin: RegExp; is: string; formats: readonly Format[] }[] = [
  { begin: /^%PDF-/, is: "a PDF", formats: ["pdf", "docx", "html"] },
  { begin: /^PK\p{Cc}{2}/u, is: "a Word file or another archive", formats: ["docx"] },
  { begin: /^(?:ï»¿)?\s*<(?:!doctype\s+html|html)\b/i, is: "HTML", formats: ["html"] },
];

/** Throws `Refused` if a file is clearly of another format than its extension. */
function refuseWrongName({ format }: Extractor, bytes: Uint8Array): void {
  const beginning = beginningOf(bytes);
  const found = beginnings.find(({ begin }) => begin.test(beginning));
  if (found && !found.formats.includes(format))
    throw new Refused("broken", `its content does not match its name: it is ${found.is}`);
}

/** Checks for a PDF, also under another binary format's extension. Text files may mention `%PDF-` at the start. */
const isPdf = ({ format }: Extractor, bytes: Uint8Array): boolean =>
  format === "pdf" || (format !== "markdown" && format !== "text" && begins(bytes, "%PDF-"));

/** Extracts a file according to its extension, or as a PDF if its content is one. Throws `Refused`. */
export async function extract(file: string, bytes: Uint8Array, progress: PageProgress): Promise<Extracted> {
  const extractor = named(file);
  if (extractor === undefined) throw new Refused("unsupported");
  if (bytes.length === 0) throw new Refused("empty");
  refuseWrongName(extractor, bytes);
  try {
    return await (isPdf(extractor, bytes) ? pdf : extractor).extract(bytes, progress);
  } catch (error) {
    if (error instanceof Refused) throw error;
    // Any parser error means a malformed file. The import goes on with the other files.
    throw new Refused("broken");
  }
}
