import type { AppOptions } from "../../src/app.ts";
import type { Intake, IntakeResult } from "../../src/products/architect/schema.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { type Firm, World } from "./harness.ts";

/** Opens a world that sells the whole catalogue, with every gate open except the Market-Entry Pack's. */
export async function openArchitect(options: Partial<AppOptions> = {}): Promise<World> {
  const world = await World.open(undefined, { capabilities, useCases, ...options });
  const slugs = [...capabilities, ...useCases].map(({ slug }) => slug);
  await world.openGates(...slugs.filter((slug) => slug !== "european-market-entry-pack"));
  return world;
}

/** The intake used by most tests. */
export const usualIntake: Intake = {
  company: "Example Insurance",
  country: "CZ",
  industry: "insurance",
  goals: ["Answer advisers' questions from our own terms"],
  constraints: [],
  channels: ["web"],
  data_sources: ["our terms as PDF"],
  consent: true,
};

const root = "/v1/solution-architect";

/** Sends a request to the architect, with the firm's key by default. */
export const askArchitect = (world: World, firm: Firm, part: string, body?: unknown, as: string = firm.key) =>
  world.ask(`${root}/${part}`, { as, body });

/** Returns the body of a successful response; throws for any other status. */
export async function told<Answer>(response: Response | Promise<Response>): Promise<Answer> {
  const answer = await response;
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Starts a solution. */
export const begun = (world: World, firm: Firm, intake: Partial<Intake> = {}): Promise<IntakeResult> =>
  told(askArchitect(world, firm, "intake", { ...usualIntake, ...intake }));

/** One server-sent event. */
export interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Parses the events of a complete stream. */
export function eventsIn(text: string): SentEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("event: "))
    .map((block) => {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
      return { id: field("id"), event: field("event"), data: JSON.parse(field("data")) };
    });
}
