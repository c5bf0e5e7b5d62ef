import type { Store } from "../../../db/store.ts";
import { fail, type HealthCheck, ok } from "../../platform/health-check.ts";
import { definitions } from "../../products/datasets/definitions.ts";
import { DatasetFolder } from "../../products/datasets/folder.ts";
import { servingTables } from "../../products/datasets/versions.ts";
import type { Paths } from "../installation.ts";

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** What to do where rows are missing. */
export const rowsBack = ({ datasets }: Pick<Paths, "datasets">): string =>
  `Copy what the folder datasets of the original installation holds to ${datasets}, or import them again: they are no part of a database backup.`;

/** The datasets that serve: whether the rows of each table are there. Doctor asks. */
export async function datasetChecks({ read }: Store, paths: Paths): Promise<HealthCheck[]> {
  const folder = new DatasetFolder(paths.datasets);
  return Promise.all(
    definitions.map(async ({ name, forms }) => {
      const serving = await servingTables(read, name);
      if (!serving) return ok(name, forms ? "nothing imported" : "the starter data alone");
      const { number, tables } = serving;
      const missing = tables.filter(({ id }) => !folder.has(id));
      const size = mebibytes(tables.reduce((sum, { id }) => sum + folder.sizeOf(id), 0));
      if (missing.length === 0)
        return ok(name, `version ${number}, ${tables.length} ${tables.length === 1 ? "table" : "tables"}, ${size}`);
      const names = missing.map((one) => `${one.name} (${one.file})`).join(", ");
      return fail(name, `the rows of ${names} are missing`, rowsBack(paths));
    }),
  );
}
