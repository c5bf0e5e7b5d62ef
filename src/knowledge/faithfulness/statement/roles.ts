import type { Part, Statement } from "./read.ts";

/** The agent and the recipient of a statement; null if it does not name them. */
export interface Roles {
  readonly agent: Part | null;
  readonly recipient: Part | null;
}

const byWords = new Set(["by", "vom", "durch", "przez"]);
const germanObject = new Set(["dem", "den", "des", "einem", "einen", "eines"]);
const englishObject = new Set(["to", "of", "for", "from", "against", "with", "by"]);

function isAgentByForm(part: Part, before: Part | undefined, beforeThat: Part | undefined, language: string): boolean {
  if (part.grammar === "nom") return !(language === "pl" && before?.form === "przez");
  if (part.grammar !== "any") return false;
  const near = before?.role === "light" || before?.role === "mark" ? before.form : "";
  if (language === "de") return !germanObject.has(near) && !byWords.has(near);
  if (language === "en") return !englishObject.has(near) && !englishObject.has(beforeThat?.form ?? "");
  return true;
}

/** Checks whether an actor is the agent of a passive: `by the insurer`, `vom Versicherer`, `a biztosító által`. */
function isPassiveAgent(parts: readonly Part[], at: number): boolean {
  const [before, beforeThat, after] = [parts[at - 1]?.form ?? "", parts[at - 2]?.form ?? "", parts[at + 1]?.form ?? ""];
  const isFrom = beforeThat === "von" && before === "dem";
  return (
    parts[at]?.grammar === "ins" ||
    byWords.has(before) ||
    beforeThat === "by" ||
    beforeThat === "durch" ||
    isFrom ||
    after === "altal"
  );
}

/** Returns the roles in one statement. Those in conditions and exceptions belong to other statements. */
export function rolesOf({ parts, language }: Statement): Roles {
  const isOwn = (part: Part) => part.role === "actor" && part.span === null;
  const actors = parts.flatMap((part, at) => (isOwn(part) ? [{ part, at }] : []));
  const passive = actors.find(({ at }) => isPassiveAgent(parts, at));
  // `A biztosítottnak be kell jelentenie`: with this verb, the dative marks who has the duty.
  const isDativeDuty = language === "hu" && parts.some(({ form }) => form === "kell");
  const first = isDativeDuty
    ? actors.find(({ part }) => part.grammar === "dat")
    : actors.find(({ part, at }) => isAgentByForm(part, parts[at - 1], parts[at - 2], language));
  const agent = (passive ?? first)?.part ?? null;
  const isRecipient = ({ part, at }: { part: Part; at: number }) =>
    part !== agent &&
    (part.grammar === "dat" ||
      (part.grammar === "any" &&
        (parts[at - 1]?.form === "dem" || parts[at - 1]?.form === "to" || parts[at - 2]?.form === "to")));
  return { agent, recipient: actors.find(isRecipient)?.part ?? null };
}
