import manifest from "../../../package.json" with { type: "json" };
import { CommandError, type Io } from "../io.ts";

/** How long one request may take. No route of the API blocks longer than 45 s. */
const requestTimeoutMs = 60_000;

/** No answer at all: the server is down, or the network. A caller that waits may try again. */
export class Unreachable extends CommandError {}

/** The system's codes for a certificate that is not trusted. */
const untrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_CERT_)/;

/** A server that answers with a certificate that is not trusted, and what to do; undefined for any other failure. */
export function certificateTrouble(error: unknown, origin: string): CommandError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!untrusted.test(code)) return undefined;
  const hints: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: "It has ended: it has to be renewed at the server.",
    CERT_NOT_YET_VALID: "It is not valid yet: compare the clock of this machine with the server's.",
    ERR_TLS_CERT_ALTNAME_INVALID: "It is for another name: use the address that it was issued for.",
  };
  const hint = hints[code] ?? "Name the file of who issued it in NODE_EXTRA_CA_CERTS, or correct the address.";
  return new CommandError(1, `The certificate of ${origin} is not trusted (${code}).`, hint);
}

/** What a request is made with, and where its long silence is told of. */
export type Talk = Pick<Io, "runtime" | "err">;

/** A silence of so long is told of: people wonder whether anything happens. */
const silenceMs = 2_000;

/** What people recognise this program by in the list of their sessions. */
export const userAgent = `assay/${manifest.version} (${process.platform})`;

/**
 * A request with a deadline that follows no redirect: a credential goes to the address it was meant for alone. No
 * connection is kept: a command ends soon, and a server that stops waits for open ones. Throws `Unreachable`, and
 * `CommandError` where the server's certificate is not trusted.
 */
export async function send(
  { runtime, err }: Talk,
  url: string,
  init: RequestInit,
  signal?: AbortSignal,
): Promise<[Response, string]> {
  const deadline = runtime.deadline(requestTimeoutMs);
  const headers = new Headers(init.headers);
  headers.set("user-agent", userAgent);
  const { origin } = new URL(url);
  const disarm = runtime.after(silenceMs, () =>
    err(`waiting for ${origin}, ${requestTimeoutMs / 1000} s at most; Ctrl-C stops`),
  );
  try {
    const bounds = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const response = await fetch(url, { ...init, headers, redirect: "manual", keepalive: false, signal: bounds });
    return [response, await response.text()];
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (deadline.aborted) throw new Unreachable(1, `${origin} did not answer within ${requestTimeoutMs / 1000} s.`);
    const distrust = certificateTrouble(error, origin);
    if (distrust) throw distrust;
    throw new Unreachable(
      1,
      `No server answers at ${origin}${code ? ` (${code})` : ""}.`,
      "Start one with `assay serve --demo`, or say where it is with --base-url or ASSAY_BASE_URL.",
    );
  } finally {
    disarm();
  }
}
