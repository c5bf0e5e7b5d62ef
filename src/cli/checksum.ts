import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The file that keeps another one's checksum, as `sha256sum -c` reads it. */
export const checksumFile = (file: string): string => `${file}.sha256`;

/** SHA-256 of a file of any size, in hexadecimal. */
export async function fileChecksum(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
