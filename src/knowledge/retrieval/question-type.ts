import { fold } from "../../platform/text.ts";
import { type SearchLanguage, searchLanguages } from "../language/languages.ts";
import { oneOf, readTable } from "../language/word-table.ts";
import { analyse } from "./analysis.ts";
import table from "./answer-words.tsv" with { type: "text" };
import { type SearchIndex, termIdOf } from "./search-index.ts";

/** What a question asks for, judging by its words. */
export const questionTypes = ["yes_no", "reason", "duration", "amount", "who", "definition"] as const;
export type QuestionType = (typeof questionTypes)[number];

/** Patterns for each type of question on folded text, in all six languages. */
const asked: Readonly<Record<QuestionType, RegExp>> = {
  yes_no:
    /^\s*(?:can|do|does|be|is|are|will|shall|should|have|has|could|would|may|muze|muzu|mohu|je|jsou|musi|musim|ma|mam|plati|kryje|hradi|vztahuje|mozem|moze|su|kann|darf|muss|ist|sind|habe|gilt|deckt|zahlt|czy|est-ce|puis-je|peut-on)(?!\p{L})/u,
  reason: /(?<!\p{L})(?:why|reason|proc|preco|warum|weshalb|dlaczego|pourquoi)(?!\p{L})/u,
  duration:
    /(?<!\p{L})(?:how (?:long|soon|often|many (?:days|months|years))|when|kdy|dokdy|lhut\p{L}*|jak dlouho|dlouho|kedy|lehot\p{L}*|ako dlho|wann|wie lange|frist\p{L}*|kiedy|jak dlugo|termin\p{L}*|quand|combien de temps|delai\p{L}*)(?!\p{L})/u,
  amount:
    /(?<!\p{L})(?:how much|costs?|prices?|rates?|expensive|cheap\p{L}*|kolik|castk\p{L}*|cen[ay]|limit\p{L}*|kolko|sum[auy]|wie ?viel|wie hoch|hohe|kost\p{L}*|ile|kwot\p{L}*|cena|combien|montant\p{L}*|prix)(?!\p{L})/u,
  who: /(?<!\p{L})(?:who|whom|which|compan(?:y|ies)|kdo|komu|kto|wer|wem|welche\p{L}*|qui|a qui)(?!\p{L})/u,
  definition:
    /(?<!\p{L})(?:what (?:\p{L}+ )*(?:be|is|are|mean|means)|define|co (?:je|to je|znamena|se rozumi)|cim se rozumi|co (?:je|sa rozumie|znamena)|was (?:ist|sind|bedeutet|heisst)|co to jest|co oznacza|qu.est-ce|que signifie)(?!\p{L})/u,
};

/** Words that occur in answers to each type of question. */
const answered = readTable(table, ["type", "language", "words"]).map((row) => ({
  type: oneOf(row.type, questionTypes),
  language: oneOf(row.language, searchLanguages),
  words: row.words,
}));

/** Returns the types of a question; several, or none. Used by the analysis of questions. */
export function questionTypesOf(question: string): QuestionType[] {
  const folded = fold(question.slice(0, 2_000));
  return questionTypes.filter((type) => asked[type].test(folded));
}

const found = new WeakMap<SearchIndex, Map<string, ReadonlySet<number>>>();

/** Returns the ids of an index's terms that occur in answers to a type of question in a language. Cached per index. */
export function answerTermIds(index: SearchIndex, type: QuestionType, language: SearchLanguage): ReadonlySet<number> {
  const known = found.get(index) ?? new Map<string, ReadonlySet<number>>();
  found.set(index, known);
  const name = `${type} ${language}`;
  const words = answered.find((row) => row.type === type && row.language === language)?.words ?? "";
  const ids = known.get(name) ?? new Set(analyse(words, language).flatMap(({ stem }) => termIdOf(index, stem) ?? []));
  known.set(name, ids);
  return ids;
}
