import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** Returns the name of a file's checksum file, which has the format of `sha256sum -c`. */
export const checksumFile = (file: string): string => `${file}.sha256`;

/** Returns the SHA-256 of a file of any size, in hexadecimal. */
export async function fileChecksum(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
