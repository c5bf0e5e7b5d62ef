import { join } from "node:path";
import { type Static, Type as T } from "@sinclair/typebox";
import { bodyOf } from "./client/http.ts";

const DemoUser = T.Object({ email: T.String(), password: T.String() });
const DemoFirm = T.Object({ name: T.String(), users: T.Array(DemoUser), keys: T.Object({ all: T.String() }) });
/** What of `demo-credentials.json` the commands need. */
const DemoCredentials = T.Object({ firms: T.Array(DemoFirm, { minItems: 1 }) }, { title: "demo-credentials.json" });

/** Who tries the demo out first: its first firm's owner, and a key of that firm for everything. */
export interface DemoCredentials {
  readonly file: string;
  readonly owner: Static<typeof DemoUser> | undefined;
  readonly key: string;
}

/** Reads what the demo wrote into its data folder. Throws where the file is not there or not the demo's. */
export async function readDemoCredentials(dataDir: string): Promise<DemoCredentials> {
  const file = join(dataDir, "demo-credentials.json");
  const [firm] = bodyOf(DemoCredentials, await Bun.file(file).text()).firms;
  return { file, owner: firm?.users[0], key: firm?.keys.all ?? "" };
}
