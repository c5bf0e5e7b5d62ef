import type { Store } from "../db/store.ts";
import type { BrowserParts } from "./accounts/auth/external-parts.ts";
import type { AuthParts } from "./accounts/auth/parts.ts";
import type { OAuthParts } from "./accounts/oauth/parts.ts";
import type { ActorWatch } from "./execution/watch.ts";
import type { Worker } from "./execution/worker.ts";
import type { Keyring } from "./identity/keyring.ts";
import type { Identity } from "./identity/principal.ts";
import type { Jobs } from "./jobs/service.ts";
import type { Clock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import type { Catalogue } from "./products/catalogue/service.ts";
import type { Insurance } from "./products/insurance/service.ts";
import type { UseCases } from "./products/use-cases/service.ts";
import type { Registry } from "./registry/registry.ts";
import type { Acceptance } from "./runs/accept.ts";
import type { Decisions } from "./runs/decisions.ts";
import type { RecentRuns } from "./runs/recent.ts";
import type { AccessControl } from "./web/access.ts";
import type { AttemptGuard } from "./web/attempts.ts";

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
