import type { Store } from "../db/connection.ts";
import type { BrowserParts } from "./auth/external-parts.ts";
import type { AuthParts } from "./auth/parts.ts";
import type { Registry } from "./catalogue/registry.ts";
import type { Catalogue } from "./catalogue/service.ts";
import type { AccessControl } from "./http/access.ts";
import type { AttemptGuard } from "./http/attempts.ts";
import type { Keyring } from "./identity/keyring.ts";
import type { Identity } from "./identity/principal.ts";
import type { Insurance } from "./insurance/service.ts";
import type { Jobs } from "./jobs/service.ts";
import type { OAuthParts } from "./oauth/parts.ts";
import type { Clock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import type { Acceptance } from "./runs/accept.ts";
import type { Decisions } from "./runs/decide.ts";
import type { RecentRuns } from "./runs/recent.ts";
import type { UseCases } from "./use-cases/service.ts";
import type { ActorWatch } from "./workflow/watch.ts";
import type { Worker } from "./workflow/worker.ts";

/** What `app.ts` wires and hands to each noun's routes. Types only: nothing is made here. */
export interface Parts extends AuthParts, BrowserParts, OAuthParts {
  readonly baseUrl: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly identity: Identity;
  readonly access: AccessControl;
  /** Counts wrong keys, wherever they are sent. */
  readonly attempts: AttemptGuard;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly useCases: UseCases;
  readonly worker: Worker;
  readonly watch: ActorWatch;
  readonly acceptance: Acceptance;
  readonly insurance: Insurance;
  readonly decisions: Decisions;
  readonly recentRuns: RecentRuns;
  readonly jobs: Jobs;
}
