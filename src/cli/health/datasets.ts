import { troubleWith } from "../../../db/sqlite/dataset-file.ts";
import type { Reading } from "../../../db/store.ts";
import { fail, type HealthCheck, ok } from "../../platform/health-check.ts";
import { definitions } from "../../products/datasets/definitions.ts";
import { DatasetFolder } from "../../products/datasets/folder.ts";
import { servingTables } from "../../products/datasets/versions.ts";
import type { Paths } from "../installation.ts";

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Returns advice for rows that can't be read. */
export const rowsBack = ({ datasets }: Pick<Paths, "datasets">): string =>
  `Copy the contents of the original installation's datasets folder to ${datasets}, or import the datasets again: a database backup does not include them. If this user can't read the files, give it permission.`;

/** Checks that the rows of each dataset in use can be read. */
export async function datasetChecks({ read }: Reading, paths: Paths): Promise<HealthCheck[]> {
  const folder = new DatasetFolder(paths.datasets);
  return Promise.all(
    definitions.map(async ({ name, forms }) => {
      const serving = await servingTables(read, name);
      if (!serving) return ok(name, forms ? "nothing imported" : "starter data only");
      const { number, tables } = serving;
      const missing = tables.flatMap(({ id, name: table, file }) => {
        const why = troubleWith(folder.fileOf(id));
        return why === undefined ? [] : [`the rows of ${table} (${file}) are ${why}`];
      });
      const size = mebibytes(tables.reduce((sum, { id }) => sum + folder.sizeOf(id), 0));
      if (missing.length === 0)
        return ok(name, `version ${number}, ${tables.length} ${tables.length === 1 ? "table" : "tables"}, ${size}`);
      return fail(name, missing.join(", "), rowsBack(paths));
    }),
  );
}
