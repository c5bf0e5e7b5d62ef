import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./harness.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Serving {
  readonly url: string;
  /** Everything logged so far. */
  log(): string;
  /** Sends a signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>;
}

/** The program's own code, which each of these runs. */
export const main = join(import.meta.dir, "..", "..", "src", "main.ts");

/** The variables of this process without any of ours, so that a test starts from none. */
const plainEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_")));

/** Runs the executable to its end, as a shell would. */
export async function assay(args: readonly string[], env: Record<string, string> = {}, cwd = tmpdir()): Promise<Ended> {
  const child = Bun.spawn([process.execPath, main, ...args], {
    cwd,
    env: { ...plainEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

/** A data folder of its own, and the executable run on it. */
export class Installation implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "assay-operator-"));
  private readonly running: Serving[] = [];

  /** The data folder; it does not exist until a command makes it. */
  readonly data = join(this.folder, "data");
  readonly database = join(this.data, "assay.db");

  run(...args: string[]): Promise<Ended> {
    return assay([...args, "--data", this.data]);
  }

  /** What a command prints with `--json`; it has to succeed. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.run(...args, "--json");
    if (code !== 0) throw new Error(`assay ${args.join(" ")} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** Makes a firm with an owner, as `assay init` does. */
  init(...args: string[]): Promise<Initialised> {
    return this.json<Initialised>("init", "--email", "owner@acme.test", "--firm", "Acme", ...args);
  }

  /** Starts the server on a free port. */
  async serve(...args: string[]): Promise<Serving> {
    const child = Bun.spawn([process.execPath, main, "serve", "--port", "0", "--data", this.data, ...args], {
      env: plainEnv,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let logged = "";
    const heard = (async () => {
      for await (const bytes of child.stderr) logged += new TextDecoder().decode(bytes);
    })();
    await until(() => logged.includes("listening on") || child.exitCode !== null, "the server listens");
    const url = /listening on (http:[^"]+)"/.exec(logged)?.[1];
    if (url === undefined) throw new Error(`the server did not start: ${logged}`);
    const serving: Serving = {
      url,
      log: () => logged,
      async end(signal = "SIGTERM") {
        child.kill(signal);
        const code = await child.exited;
        await heard;
        return code;
      },
    };
    this.running.push(serving);
    return serving;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const serving of this.running) await serving.end("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What `assay init --json` prints. */
export interface Initialised {
  readonly firm: { readonly id: string; readonly slug: string };
  readonly owner: { readonly id: string; readonly email: string };
  readonly workspace: { readonly id: string };
  readonly api_key: { readonly id: string; readonly secret: string };
}
