#!/usr/bin/env bun
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClientWorld } from "../support/client-world.ts";
import { done, npmTools, pythonTools } from "./tools.ts";

/** `bun run clients:types`: generates the types of both clients from this checkout's OpenAPI document. */

const root = join(import.meta.dir, "..", "..");

/** Writes the served document to a file. */
async function documentIn(folder: string): Promise<string> {
  await using served = await openClientWorld();
  const file = join(folder, "openapi.json");
  await Bun.write(file, await (await fetch(`${served.baseUrl}/openapi-public.json`)).text());
  return file;
}

const folder = mkdtempSync(join(tmpdir(), "assay-clients-"));
const document = await documentIn(folder);
const typescript = join(root, "clients", "typescript", "src", "types.ts");
await done([join(await npmTools(), "node_modules", ".bin", "openapi-typescript"), document, "--output", typescript]);
const python = join(root, "clients", "python", "assay_client", "types.py");
await done(
  [join(await pythonTools(), "bin", "datamodel-codegen"), "--input", document, "--output", python].concat(
    ["--input-file-type", "openapi", "--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"],
    ["--disable-timestamp", "--formatters", "builtin"],
  ),
);
rmSync(folder, { recursive: true });
