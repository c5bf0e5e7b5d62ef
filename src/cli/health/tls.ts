import type { Settings } from "../../config/settings.ts";
import { day, rfc3339 } from "../../platform/clock.ts";
import { fail, type HealthCheck, ok, warn } from "../../platform/health-check.ts";
import { readTls } from "../tls.ts";

/** Milliseconds before its expiry by which a certificate should be renewed. */
const renewal = 14 * day;

/** Checks that the certificate can be used, and its expiry. Returns no check without TLS, as behind a proxy. */
export function tlsChecks(settings: Settings, now: number): HealthCheck[] {
  const about = "certificate";
  try {
    const tls = readTls(settings);
    if (!tls) return [];
    const until = Date.parse(tls.certificate.validTo);
    const found = `${tls.certificate.subject.replaceAll("\n", ", ")}, until ${rfc3339(until)}`;
    const advice = "Renew it, then send the server SIGHUP to reload it without a restart.";
    if (until < now) return [fail(about, found, advice)];
    return [until < now + renewal ? warn(about, found, advice) : ok(about, found)];
  } catch (error) {
    return [fail(about, error instanceof Error ? error.message : String(error), "Correct tls_cert and tls_key.")];
  }
}
