import type { Command } from "commander";
import type { Context } from "./context.ts";
import { registerDatasetImports } from "./import-datasets.ts";
import { registerInsuranceImport } from "./import-insurance.ts";
import { registerStudiesImport } from "./import-studies.ts";

/** `assay import …`: documents, datasets and studies. A server may be running. */
export function register(program: Command, context: Context): void {
  const command = program.command("import").description("Import documents, datasets and studies");
  registerInsuranceImport(command, context);
  registerDatasetImports(command, context);
  registerStudiesImport(command, context);
}
