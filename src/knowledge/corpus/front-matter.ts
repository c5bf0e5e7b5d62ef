import { decodeText } from "./decode.ts";
import { splitFrontMatter } from "./markdown.ts";

/** What stands between the `---` lines at the top of a Markdown or text file, as it is written; null: nothing does. */
export const frontMatterOf = (bytes: Uint8Array): string | null => splitFrontMatter(decodeText(bytes)).front;
