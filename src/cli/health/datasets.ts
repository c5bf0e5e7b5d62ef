import { currentDatasetVersion, datasetTablesOf } from "../../../db/queries/datasets.ts";
import type { Store } from "../../../db/store.ts";
import { fail, type HealthCheck, ok } from "../../platform/health-check.ts";
import { definitions } from "../../products/datasets/definitions.ts";
import { DatasetFolder } from "../../products/datasets/folder.ts";
import { tableIds } from "../../products/datasets/versions.ts";
import type { Paths } from "../installation.ts";

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** The datasets that serve: whether the rows of each table are there. Doctor asks. */
export async function datasetChecks({ read }: Store, paths: Paths): Promise<HealthCheck[]> {
  const folder = new DatasetFolder(paths.datasets);
  return Promise.all(
    definitions.map(async ({ name, forms }) => {
      const version = await currentDatasetVersion.first(read, { dataset: name });
      const ids = version ? tableIds(version) : [];
      if (!version || ids.length === 0) return ok(name, forms ? "nothing imported" : "the starter data alone");
      const missing = (await datasetTablesOf(read, name)).filter(({ id }) => ids.includes(id) && !folder.has(id));
      const size = mebibytes(ids.reduce((sum, id) => sum + folder.sizeOf(id), 0));
      if (missing.length === 0)
        return ok(name, `version ${version.number}, ${ids.length} ${ids.length === 1 ? "table" : "tables"}, ${size}`);
      const names = missing.map((one) => `${one.name} (${one.file})`).join(", ");
      return fail(
        name,
        `the rows of ${names} are missing`,
        `Import them again: they are no part of a database backup.`,
      );
    }),
  );
}
