import { join } from "node:path";
import { type Static, Type as T } from "@sinclair/typebox";
import { bodyOf } from "./client/http.ts";

const DemoUser = T.Object({ email: T.String(), password: T.String() });
const DemoFirm = T.Object({ name: T.String(), users: T.Array(DemoUser), keys: T.Object({ all: T.String() }) });
/** The part of `demo-credentials.json` that the commands need. */
const DemoCredentials = T.Object({ firms: T.Array(DemoFirm, { minItems: 1 }) }, { title: "demo-credentials.json" });

/** The first firm's owner, and that firm's key with all scopes. */
export interface DemoCredentials {
  readonly file: string;
  readonly owner: Static<typeof DemoUser> | undefined;
  readonly key: string;
}

/** Reads the credentials from a demo's data folder. Throws if the file is missing or has another format. */
export async function readDemoCredentials(dataDir: string): Promise<DemoCredentials> {
  const file = join(dataDir, "demo-credentials.json");
  const [firm] = bodyOf(DemoCredentials, await Bun.file(file).text()).firms;
  return { file, owner: firm?.users[0], key: firm?.keys.all ?? "" };
}
