import manifest from "../../../package.json" with { type: "json" };
import { CommandError, type Io } from "../io.ts";

/** Timeout of a request, in milliseconds. No route of the API blocks for longer than 45 s. */
const requestTimeoutMs = 60_000;

/** No response: the server or the network is down. A caller that polls may retry. */
export class Unreachable extends CommandError {}

/** Error codes of a certificate that is not trusted. */
const untrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|ERR_TLS_CERT_)/;

/** Explains an untrusted certificate, with advice; `undefined` for any other failure. */
export function certificateTrouble(error: unknown, origin: string): CommandError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!untrusted.test(code)) return undefined;
  const hints: Readonly<Record<string, string>> = {
    CERT_HAS_EXPIRED: "It has expired: renew it on the server.",
    CERT_NOT_YET_VALID: "It is not valid yet: compare the clock of this machine with the server's.",
    ERR_TLS_CERT_ALTNAME_INVALID: "It is for another name: use the address that it was issued for.",
  };
  const hint = hints[code] ?? "Set NODE_EXTRA_CA_CERTS to the issuer's certificate file, or correct the address.";
  return new CommandError(1, `The certificate of ${origin} is not trusted (${code}).`, hint);
}

/** What a request needs, and where a slow one is reported. */
export type Talk = Pick<Io, "runtime" | "err">;

/** Milliseconds without a response after which the wait is reported. */
const silenceMs = 2_000;

/** User agent, which identifies this program in a person's list of sessions. */
export const userAgent = `assay/${manifest.version} (${process.platform})`;

/**
 * Sends a request with a timeout. Redirects are not followed, so that a credential goes only to the address it is meant
 * for. The connection is not kept alive, since a stopping server would wait for it. Throws `Unreachable`, and
 * `CommandError` if the server's certificate is not trusted.
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
      "Start one with `assay serve --demo`, or set its address with --base-url or ASSAY_BASE_URL.",
    );
  } finally {
    disarm();
  }
}
