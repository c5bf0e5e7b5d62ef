import robotsParser from "robots-parser";
import { botName } from "../../../integrations/outbound/types.ts";
import type { RobotsFile, RobotsRules } from "./computation.ts";

/** Returns what a robots.txt says about an address. */
export function readRobots({ address, file, url }: RobotsFile): RobotsRules {
  const rules = robotsParser(address, new TextDecoder().decode(file));
  return { allows: rules.isAllowed(url, botName) !== false, pause_ms: 1_000 * (rules.getCrawlDelay(botName) ?? 0) };
}
