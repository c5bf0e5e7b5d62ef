import type { Computation } from "../contracts/computing.ts";
import { documentReading, frontMatterReading } from "../knowledge/corpus/computation.ts";
import { faithfulness } from "../knowledge/faithfulness/computation.ts";
import { advice } from "./capabilities/afa-assurance/computation.ts";
import { pageReading, robotsReading, siteProfile } from "./capabilities/company-intelligence/computation.ts";
import { evidence, otherWords } from "./capabilities/insurance-assistant/computation.ts";
import { schemaCheck } from "./connectors/computation.ts";

/** All computations of the thread pool. The code of each is loaded on first use. */
export const computations: readonly Computation<never, unknown>[] = [
  documentReading,
  frontMatterReading,
  faithfulness,
  advice,
  evidence,
  otherWords,
  robotsReading,
  pageReading,
  siteProfile,
  schemaCheck,
];
