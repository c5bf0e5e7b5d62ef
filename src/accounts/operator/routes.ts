import type { InstallationTools } from "../../contracts/installation.ts";
import type { Waits } from "../../execution/wait.ts";
import type { DocumentImports } from "../../products/insurance/document-imports.ts";
import type { Cursors } from "../../web/cursor.ts";
import type { Route } from "../../web/define-route.ts";
import { OperatorGates } from "./connectors.ts";
import { documentRoutes } from "./document-routes.ts";
import { firmRoutes } from "./firm-routes.ts";
import { OperatorFirms, type OperatorOptions } from "./firms.ts";
import { gateRoutes } from "./gate-routes.ts";
import { installationRoutes } from "./installation-routes.ts";

/** Services used by the operator's routes. */
export interface OperatorRoutesServices extends OperatorOptions {
  readonly cursors: Cursors;
  readonly installation?: InstallationTools | undefined;
  readonly documentImports: DocumentImports;
  readonly waits: Waits;
}

/**
 * Routes for running the installation from a browser, equivalent to `assay admin`, `assay backup` and `assay doctor`.
 * Only for an operator's browser session; changes need a recent sign-in.
 */
export const operatorRoutes = (services: OperatorRoutesServices): Route[] => [
  ...firmRoutes(services, new OperatorFirms(services)),
  ...gateRoutes(new OperatorGates(services)),
  ...documentRoutes(services),
  ...installationRoutes(services),
];
