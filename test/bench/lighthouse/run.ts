#!/usr/bin/env bun
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { executable as browser } from "../../browser/chromium.ts";
import {
  buildIfMissing,
  freePort,
  freshFolder,
  listen,
  median,
  removeScratch,
  root,
  run,
  executable as server,
} from "../process.ts";

/**
 * `bun run lighthouse`: Lighthouse scores of the console's Home and Runs and of a guide, served by the executable on a
 * demo's folder (or by the one named by UNDER_TEST), as medians of five. Lighthouse and its dependencies are nearly 200
 * MB; only this command installs them, from their own lock file. Exits with 1 if a score is below its minimum.
 */

/** The parts of Lighthouse used here. */
interface Lighthouse {
  default(
    url: string,
    flags: Readonly<Record<string, unknown>>,
    config?: unknown,
  ): Promise<{ readonly lhr: Report } | undefined>;
  readonly desktopConfig: unknown;
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

interface Credentials {
  readonly firms: readonly { readonly users: readonly { readonly email: string; readonly password: string }[] }[];
}

const paths = ["/console", "/console/runs", "/docs/quickstart"] as const;
/** On a desktop, and as Lighthouse does by default: on a phone with a four times slower CPU and a slow network. */
const forms = ["desktop", "mobile"] as const;
const bars = { performance: 95, accessibility: 100 } as const;
const rounds = 5;
const told = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  TBT: "total-blocking-time",
  "Speed Index": "speed-index",
  CLS: "cumulative-layout-shift",
} as const;

async function install(): Promise<Lighthouse> {
  const folder = join(root, "dist", "lighthouse");
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "bun.lock"]) copyFileSync(join(import.meta.dir, file), join(folder, file));
  await run([process.execPath, "install", "--frozen-lockfile", "--cwd", folder]);
  return import(join(folder, "node_modules", "lighthouse", "core", "index.js"));
}

/** Signs the demo's first owner in; returns the cookies that a browser would send. */
async function cookieOf(base: string, data: string): Promise<string> {
  const path = join(data, "demo-credentials.json");
  // The server responds before the demo's data is complete; this file is written last.
  while (!existsSync(path)) await Bun.sleep(50);
  const { firms }: Credentials = JSON.parse(readFileSync(path, "utf8"));
  const headers = { "content-type": "application/json", origin: base };
  const response = await fetch(`${base}/session`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email: firms[0]?.users[0]?.email, password: firms[0]?.users[0]?.password }),
  });
  if (!response.ok) throw new Error(`signing in: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Prints the medians of a page's scores and times; returns whether both scores reach their minimum. */
function tell(path: string, form: string, reports: readonly Report[]): boolean {
  const scores = Object.entries(bars).map(([name, bar]) => {
    const score = Math.round(median(reports.map(({ categories }) => categories[name]?.score ?? 0)) * 100);
    return { text: `${name} ${score}`, isReached: score >= bar };
  });
  const times = Object.entries(told).map(([name, audit]) => {
    const value = median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
    return name === "CLS" ? `${name} ${value.toFixed(3)}` : `${name} ${Math.round(value)} ms`;
  });
  console.log(
    `${path.padEnd(18)} ${form.padEnd(8)} ${scores.map(({ text }) => text).join(", ")}\n    ${times.join(", ")}`,
  );
  return scores.every(({ isReached }) => isReached);
}

async function measure(lighthouse: Lighthouse, base: string, data: string): Promise<boolean> {
  const port = await freePort();
  const args = [`--remote-debugging-port=${port}`, "--no-proxy-server", "--disable-gpu"];
  const opened = await chromium.launch({ chromiumSandbox: false, args, ...(browser && { executablePath: browser }) });
  const flags = {
    port,
    onlyCategories: Object.keys(bars),
    logLevel: "error",
    extraHeaders: { Cookie: await cookieOf(base, data) },
  };
  let isGood = true;
  for (const path of paths)
    for (const form of forms) {
      const config = form === "desktop" ? lighthouse.desktopConfig : undefined;
      const reports: Report[] = [];
      while (reports.length < rounds) {
        const result = await lighthouse.default(base + path, flags, config);
        if (result) reports.push(result.lhr);
      }
      isGood = tell(path, form, reports) && isGood;
    }
  await opened.close();
  return isGood;
}

await buildIfMissing();
const lighthouse = await install();
const data = join(freshFolder("lighthouse"), "data");
const port = await freePort();
const listening = await listen([server, "serve", "--demo", "--data", data, "--port", String(port)], port);
const isGood = await measure(lighthouse, `http://127.0.0.1:${port}`, data);
await listening.stop();
removeScratch();
process.exitCode = isGood ? 0 : 1;
