import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "./under-test.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A server process from its start. */
export interface Starting {
  readonly pid: number;
  /** Returns everything logged so far. */
  log(): string;
  /** Resolves when the log contains `words`; rejects with the log if the process exits without them. */
  says(words: string): Promise<void>;
  /** Sends a signal and returns immediately. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  /** Sends a signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>;
}

export interface Serving extends Starting {
  readonly url: string;
}

/** This process's environment without the product's variables, so that tests start without them. */
const plainEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_")));

/** Runs the executable to completion, as a shell would. */
export const assay = (args: readonly string[], env: Record<string, string> = {}, cwd = tmpdir()): Promise<Ended> =>
  runToEnd(commandLine(args), env, cwd);

/** Runs any command to completion, with only the given product variables. */
export async function runToEnd(
  command: readonly string[],
  env: Record<string, string> = {},
  cwd = tmpdir(),
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...plainEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

let madeDemo: Promise<string> | undefined;

/** Returns a demo's data folder as its first start leaves it; created once and deleted when this process exits. */
function demoFolder(): Promise<string> {
  madeDemo ??= (async () => {
    const made = new Installation();
    process.on("exit", () => rmSync(made.folder, { recursive: true, force: true }));
    await (await made.serve("--demo")).end();
    return made.data;
  })();
  return madeDemo;
}

/** A new data folder, and the executable run on it. */
export class Installation implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "assay-operator-"));
  private readonly running: Starting[] = [];

  /** The data folder; it does not exist until a command creates it. */
  readonly data = join(this.folder, "data");
  readonly database = join(this.data, "assay.db");

  run(...args: string[]): Promise<Ended> {
    return assay([...args, "--data", this.data]);
  }

  /** Returns the output of a command with `--json`; throws if it fails. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await this.run(...args, "--json");
    if (code !== 0) throw new Error(`assay ${args.join(" ")} exited with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** Creates a firm with an owner, as `assay init` does. */
  init(...args: string[]): Promise<Initialised> {
    return this.json<Initialised>("init", "--email", "owner@acme.test", "--firm", "Acme", ...args);
  }

  /** Starts the server on a free port, through the command `wrapper` if given. */
  begin(args: readonly string[] = [], wrapper: readonly string[] = []): Starting {
    const command = [...wrapper, ...commandLine(["serve", "--port", "0", "--data", this.data, ...args])];
    const child = Bun.spawn(command, { env: plainEnv, stdio: ["ignore", "ignore", "pipe"] });
    let logged = "";
    let hear = Promise.withResolvers<void>();
    const heard = (async () => {
      for await (const bytes of child.stderr) {
        logged += new TextDecoder().decode(bytes);
        hear.resolve();
        hear = Promise.withResolvers();
      }
    })();
    const ended = child.exited.then(async (code) => {
      await heard;
      return code;
    });
    const starting: Starting = {
      pid: child.pid,
      log: () => logged,
      async says(words) {
        while (!logged.includes(words)) {
          const ending = await Promise.race([hear.promise, ended]);
          if (ending !== undefined && !logged.includes(words)) throw new Error(`exited with ${ending}: ${logged}`);
        }
      },
      signal: (signal) => child.kill(signal),
      ended,
      async end(signal = "SIGTERM") {
        child.kill(signal);
        return ended;
      },
    };
    this.running.push(starting);
    return starting;
  }

  /** Starts the server and waits until it listens. */
  async serve(...args: string[]): Promise<Serving> {
    const starting = this.begin(args);
    await starting.says("listening on");
    const [, url = ""] = /listening on (http:[^"]+)"/.exec(starting.log()) ?? [];
    return { ...starting, url };
  }

  /** Serves a copy of a demo created earlier, for tests that are not about its creation. */
  async serveDemo(...args: string[]): Promise<Serving> {
    cpSync(await demoFolder(), this.data, { recursive: true });
    return this.serve("--demo", ...args);
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
  /** Where the owner chooses a password, if none was given. */
  readonly password_link: string | null;
}
