import type { Work } from "../../contracts/computing.ts";
import { languageOf } from "../language/detect.ts";
import { Refused } from "./blocks.ts";
import { chunk } from "./chunk.ts";
import type { DocumentFile, DocumentText, Unreadable } from "./computation.ts";
import { extract } from "./extract.ts";
import { familyOf } from "./facts.ts";
import { structure } from "./structure.ts";

/** Maximum chunks per document; 3,000 full pages have 8,000. Returning more would block the event loop. */
const chunksAtMost = 12_000;

const firstWords = (text: string): string => (text.length <= 160 ? text : "");

async function textOf({ file, bytes, facts }: DocumentFile, work: Work): Promise<DocumentText> {
  const extracted = await extract(file, bytes, (page, pages) => {
    work.check();
    work.progress(page, pages);
  });
  const { blocks, pages, notes } = extracted;
  const text = blocks.map((block) => block.text).join("\n");
  if (!/[\p{L}\p{N}]/u.test(text)) throw new Refused("empty");
  const language = facts.language ?? languageOf(text) ?? extracted.language;
  if (language === null) throw new Refused("facts", "it lacks language, which can't be detected from its text");
  const title = (facts.title ?? extracted.title ?? firstWords(blocks[0]?.text ?? "")).slice(0, 300);
  if (title === "") throw new Refused("facts", "it lacks title, and its text has none");
  const sections = structure(blocks, extracted.format);
  const { chunks } = chunk(sections);
  if (chunks.length > chunksAtMost)
    throw new Refused("too_large", `it has more than ${chunksAtMost} passages: split it`);
  const family = familyOf(facts, title, language);
  return { title, language, family, characters: text.length, pages, notes, sections: sections.length, chunks };
}

/** Reads an entire document. Runs in a worker thread of the pool. */
export async function readDocument(file: DocumentFile, work: Work): Promise<DocumentText | Unreadable> {
  try {
    return await textOf(file, work);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}
