import { decodeText } from "./decode.ts";
import { splitFrontMatter } from "./markdown.ts";

/** Returns the raw text between the `---` lines at the top of a Markdown or text file; null if there is none. */
export const frontMatterOf = (bytes: Uint8Array): string | null => splitFrontMatter(decodeText(bytes)).front;
