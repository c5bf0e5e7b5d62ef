import type { PageFacts, Site } from "./facts.ts";
import { isLegalForm, legalForm, nameWithForm, withoutForm } from "./legal-forms.ts";
import type { Evidence } from "./profile.ts";
import { nested, textsOf } from "./structured.ts";
import { clean, compact, excerpt, key } from "./text.ts";
import { beforeCredit, isOffering, isSlogan } from "./words.ts";

/** The company's name. Candidates vote with weights; those that differ only in case and legal form count as one. */

interface Candidate {
  readonly name: string;
  readonly weight: number;
  readonly place: string;
  readonly url: string;
  readonly quote: string;
}

const separators = /\s+[-–—|·:»•/]+\s*|\s*[|»•·]\s*|:{2,}|:\s+/;
const noise = new Set(
  "home|homepage|home page|index|main|start|welcome|uvod|uvodni stranka|domu|domov|startseite|accueil|strona glowna|vitejte|willkommen|official site|official website|oficialni stranky|oficjalna strona|offizielle website|site officiel|untitled document|untitled|new page 1|just another wordpress site".split(
    "|",
  ),
);
const greeting =
  /^(welcome to|vítejte (na|u|v)|vitajte (na|u|v)|willkommen bei|bienvenue (chez|sur)|witamy w|úvod|home)\s+/i;
const companyTypes =
  /(organization|corporation|business|store|agency|service|company|bank|broker|hotel|restaurant|office|attorney|dentist|physician|school|ngo|contractor)$/i;

/** Rejoins a legal form that a separator cuts off with the name before it: `Novák | s.r.o.` */
function rejoined(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && isLegalForm(part.trim())) joined[joined.length - 1] = `${last} ${part.trim()}`;
    else joined.push(part);
  }
  return joined;
}

/** Returns the parts of a title, without those that every site has. */
export const titleParts = (title: string): string[] =>
  rejoined(title.split(separators))
    .map((part) =>
      clean(part)
        .replace(greeting, "")
        .replace(/^[,.\s]+|(?<![,\s])[,\s]+$/g, ""),
    )
    .filter((part) => part && !noise.has(key(part)));

const inTwoLetters: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/** Returns how a name is spelled in a domain: German domains write `ü` as `u` or as `ue`. */
const spellings = (name: string): string[] => {
  const spelledOut = name.toLowerCase().replace(/[äöü]/g, (letter) => inTwoLetters[letter] ?? letter);
  return spelledOut === name.toLowerCase() ? [name] : [name, spelledOut];
};

/** Returns how much of a domain's label a name's words spell, each by a prefix: `woods ins` in `woodsins`, 0 to 1. */
export function domainFit(name: string, label: string | null): number {
  const wanted = compact(label ?? "");
  return wanted ? Math.max(...spellings(name).map((spelling) => spelledShare(spelling, wanted))) : 0;
}

function spelledShare(name: string, wanted: string): number {
  const words = key(name.replace(/&/g, " ")).split(" ").filter(Boolean).slice(0, 8);
  // Positions that the words so far can reach. The first word has to begin the label; later ones may be left out.
  let reached = new Set([0]);
  for (const [at, word] of words.entries()) {
    const next = new Set(at > 0 ? reached : []);
    for (const from of reached)
      for (let length = 1; length <= word.length && wanted[from + length - 1] === word[length - 1]; length++)
        next.add(from + length);
    reached = next;
  }
  return Math.max(0, ...reached) / wanted.length;
}

function fromThings({ things, url }: PageFacts): Candidate[] {
  return things
    .flatMap((thing) => [...nested(thing)])
    .flatMap((thing) => {
      const type = thing.types.find((one) => companyTypes.test(one) && !/^(Service|Product)$/.test(one));
      const isSite = thing.types.includes("WebSite");
      if (!type && !isSite) return [];
      const told = (property: string, weight: number) =>
        textsOf(thing, property)
          .slice(0, 1)
          .map((name) => ({
            name,
            weight,
            place: `${thing.from} ${type ?? "WebSite"}.${property}`,
            url,
            quote: name,
          }));
      return isSite && !type ? told("name", 0.7) : [...told("legalName", 1), ...told("name", 0.9)];
    });
}

/** Lowers the weight of a slogan, which is hardly a name unless the domain spells it or it has a legal form. */
const lessForSlogan = (name: string, weight: number, fit: number): number =>
  fit < 0.6 && !legalForm(name) && isSlogan(name) ? 0.3 * weight : weight;

function fromHead({ meta, title, url }: PageFacts, label: string | null): Candidate[] {
  const named = (name: string, weight: number): Candidate[] =>
    meta[name] ? [{ name: meta[name], weight, place: `meta ${name}`, url, quote: meta[name] }] : [];
  const parts = titleParts(title).filter((part) => part.length <= 60);
  const shortest = [...parts].sort((a, b) => a.length - b.length)[0];
  const place = "title";
  return [
    ...named("og:site_name", 0.75),
    ...named("application-name", 0.6),
    ...named("apple-mobile-web-app-title", 0.6),
    ...parts.flatMap((name) => {
      const fit = domainFit(name, label);
      const alone = parts.length === 1 && name.split(" ").length <= 4 && !name.split(" ").every(isOffering);
      const weight = legalForm(name) ? 0.7 : fit >= 0.75 || alone ? 0.5 : name === shortest ? 0.3 : 0.1;
      return [{ name, weight: lessForSlogan(name, weight, fit), place, url, quote: title }];
    }),
  ];
}

const rights =
  /^(?:all )?rights? reserved|^(?:alle )?rechte vorbehalten|^vsechna prava|^vsetky prava|^wszelkie prawa|^tous droits|^copyright$/;
const marks =
  /\b(?:registered |service )?trade ?marks?\b|ochrann\p{L}+ znám|Marken? (?:der|von)|znak\p{L}* towarow|marques? déposée/iu;

/** Returns the names in a line of the footer: the copyright holder, or a name with a legal form. */
function fromLine(whole: string, url: string): Candidate[] {
  // Trademarks that a site mentions say nothing about whose site it is.
  const line = beforeCredit(whole)
    .split(/(?<=[.;])\s+/)
    .filter((sentence) => !marks.test(sentence))
    .join(" ");
  const quote = whole;
  const formed = nameWithForm(line);
  const holder = line
    .match(/(?:©|\(c\)|copyright)[\s:©]*(?:\(c\))?[\s\d\-–,/|]*(?:by\s+)?([^|•·]{2,80})/i)?.[1]
    ?.split(
      /\s+[-–—]\s+|(?<!\b(?:Dr|med|dent|Mag|Mgr|Ing|Dipl|Prof|St))\. |,? (?:all rights|alle rechte|všechna práva|všetky práva|wszelkie|tous droits)|\s{2,}/i,
    )[0]
    ?.replace(/(?<![\s.,\d–-])[\s.,\d–-]+$/, "");
  return [
    ...(formed ? [{ name: formed, weight: 0.85, place: "name with a legal form", url, quote }] : []),
    ...(holder && /\p{L}/u.test(holder) && holder.split(" ").length <= 7 && !rights.test(key(holder))
      ? [{ name: clean(holder), weight: 0.6, place: "copyright line", url, quote }]
      : []),
  ];
}

/** Returns the domain's label as the text writes it: `ioSafe`, `VMD Stavby`. */
function fromText({ text, url }: PageFacts, label: string | null): Candidate[] {
  const wanted = compact(label ?? "");
  if (wanted.length < 3) return [];
  const spelled = new RegExp(
    `(?<![\\p{L}\\p{N}@./])${[...wanted].join("[\\s&'’.-]{0,3}")}(?![\\p{L}\\p{N}]|\\.\\p{L})`,
    "giu",
  );
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(spelled)) {
    const name = clean(found);
    if (/\p{Lu}/u.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most ? [{ name: most[0], weight: 0.5, place: "text", url, quote: most[0] }] : [];
}

function candidatesOf({ pages, label }: Site): Candidate[] {
  const [first] = pages;
  const logos = first.logos.slice(0, 2).map((alt) => {
    const bare = alt.replace(/\b(company |corporate )?logo\b/gi, "");
    const name = clean(bare.replace(/^[\s\-–|:]+|(?<![\s\-–|:])[\s\-–|:]+$/g, ""));
    const weight = lessForSlogan(name, 0.5, domainFit(name, label));
    return { name, weight, place: "logo", url: first.url, quote: alt };
  });
  const home = first.links.find(({ href, text }) => new URL(href).pathname === "/" && !noise.has(key(text)) && text);
  return [
    ...pages.flatMap(fromThings),
    ...fromHead(first, label),
    ...logos,
    ...(home
      ? [{ name: home.text, weight: 0.3, place: "link to the home page", url: first.url, quote: home.text }]
      : []),
    ...pages.flatMap(({ small, url }) => small.slice(-60).flatMap((line) => fromLine(line, url))),
    ...pages.flatMap((page) => fromText(page, label)),
  ].filter(
    ({ name }) =>
      name.length >= 2 && name.length <= 80 && !noise.has(key(name)) && !/https?:|@|^www\.|[<>]/i.test(name),
  );
}

export interface NameFound {
  readonly name: string | null;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  readonly note: string | null;
}

const enough = 0.5;

/** Returns the name with its evidence. If no page names the company, it is the domain name, with a note. */
export function findName(site: Site): NameFound {
  const { label, pages } = site;
  const groups = Map.groupBy(candidatesOf(site), ({ name }) => compact(withoutForm(name)));
  const ranked = [...groups.values()]
    .map((members) => {
      const best = new Map<string, number>();
      for (const { place, weight } of members) best.set(place, Math.max(weight, best.get(place) ?? 0));
      const fit = Math.max(...members.map(({ name }) => domainFit(withoutForm(name), label)));
      const sum = [...best.values()].reduce((total, weight) => total + weight, 0);
      return { members, places: best.size, score: sum + (fit >= 0.6 ? 0.6 * fit : 0) };
    })
    .sort((a, b) => b.score - a.score);
  const [winner] = ranked;
  if (!winner || winner.score < enough) return fromDomain(label, pages[0].url);
  const [chosen] = [...winner.members].sort((a, b) => b.weight - a.weight);
  const byPlace = new Map(winner.members.map((member) => [member.place, member]));
  const structured = winner.members.some(({ weight }) => weight >= 0.9);
  return {
    name: chosen ? tidyName(chosen.name) : null,
    confidence: structured ? 1 : winner.places > 1 ? 0.7 : 0.4,
    evidence: [...byPlace.values()].slice(0, 5).map(({ name, url, place, quote }) => ({
      field: "company_name",
      value: name,
      url,
      place,
      excerpt: excerpt(quote),
    })),
    note: null,
  };
}

/** Removes the marks around a name. Capitals and lower case stay as they are. */
const tidyName = (name: string): string => {
  const bare = name.replace(/[™®©]/g, "").replace(/^[\s"'„“]+|(?<![\s"'“”,;:])[\s"'“”,;:]+$/g, "");
  return legalForm(bare) ? bare : bare.replace(/(?<!\b\p{L})\.$/u, "");
};

function fromDomain(label: string | null, url: string): NameFound {
  if (label === null) return { name: null, confidence: 0, evidence: [], note: "The pages do not name the company." };
  const name = label.replace(
    /(^|-)(\p{L})/gu,
    (_, dash: string, letter: string) => (dash ? " " : "") + letter.toUpperCase(),
  );
  return {
    name,
    confidence: 0.2,
    evidence: [{ field: "company_name", value: name, url, place: "domain name", excerpt: label }],
    note: "The pages do not name the company clearly: company_name is its domain name.",
  };
}
