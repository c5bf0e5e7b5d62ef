import { fold } from "../../platform/text.ts";
import type { SearchLanguage } from "../language/languages.ts";
import { analyse } from "./analysis.ts";
import { type SearchIndex, termIdOf } from "./search-index.ts";

/** What a question asks for, as far as its words tell. */
export const questionKinds = ["yes_no", "reason", "duration", "amount", "who", "definition"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** How each kind of question is put, on folded text, in any of the six languages. */
const asked: Readonly<Record<QuestionKind, RegExp>> = {
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

/** Words that answers to each kind of question have. */
const answered: Readonly<Record<QuestionKind, Readonly<Record<SearchLanguage, string>>>> = {
  yes_no: {
    en: "yes no not absolutely depend depends unfortunately",
    cs: "ano ne nelze může nesmí pouze",
    sk: "áno nie nemožno môže nesmie iba",
    de: "ja nein nicht kann darf kein",
    pl: "tak nie może wolno",
    fr: "oui non pas peut",
  },
  reason: {
    en: "because reason since due",
    cs: "protože důvod neboť proto",
    sk: "pretože dôvod lebo",
    de: "weil grund da deshalb",
    pl: "ponieważ powód gdyż",
    fr: "parce raison car",
  },
  duration: {
    en: "day month year week hour minute",
    cs: "den dnů dní měsíc měsíců rok let lhůta týden",
    sk: "deň dní mesiac mesiacov rok rokov lehota týždeň",
    de: "tag tage tagen monat monate jahr jahre woche wochen frist",
    pl: "dzień dni miesiąc miesięcy rok lat termin tydzień",
    fr: "jour jours mois an ans année délai semaine",
  },
  amount: {
    en: "cost premium rate price pay expensive dollar month afford percent limit",
    cs: "kč korun částka výše eur procent limit",
    sk: "eur suma výška percent limit",
    de: "euro eur betrag höhe prozent summe",
    pl: "zł złotych euro kwota wysokość procent",
    fr: "euros eur montant pourcent",
  },
  who: {
    en: "company carrier insurer provider top list rating agent broker independent",
    cs: "pojistitel pojistník pojištěný oprávněný",
    sk: "poisťovateľ poistník poistený oprávnený",
    de: "versicherer versicherungsnehmer versicherter person",
    pl: "ubezpieczyciel ubezpieczający ubezpieczony uprawniony",
    fr: "assureur souscripteur assuré bénéficiaire",
  },
  definition: {
    en: "mean means define call called type refer",
    cs: "rozumí význam definice pojem",
    sk: "rozumie význam definícia pojem",
    de: "bedeutet bezeichnet gelten begriff",
    pl: "oznacza definicja pojęcie rozumie",
    fr: "signifie définition désigne entend",
  },
};

/** The kinds that a question is of; several, or none. */
export function kindsOf(question: string): QuestionKind[] {
  const folded = fold(question.slice(0, 2_000));
  return questionKinds.filter((kind) => asked[kind].test(folded));
}

const found = new WeakMap<SearchIndex, Map<string, ReadonlySet<number>>>();

/** The ids of the words that answer a kind of question in a language. */
export function cueIds(index: SearchIndex, kind: QuestionKind, language: SearchLanguage): ReadonlySet<number> {
  const known = found.get(index) ?? new Map<string, ReadonlySet<number>>();
  found.set(index, known);
  const name = `${kind} ${language}`;
  const ids =
    known.get(name) ??
    new Set(analyse(answered[kind][language], language).flatMap(({ stem }) => termIdOf(index, stem) ?? []));
  known.set(name, ids);
  return ids;
}
