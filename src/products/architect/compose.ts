import { canonicalHash } from "../../platform/json.ts";
import { channelsOf, type Known, matrixOf } from "./blueprint.ts";
import { designOf } from "./design.ts";
import type { Phrasing } from "./phrasing.ts";
import type { Composition, Design, Match, Product, Section } from "./schema.ts";
import { say, taxonomy } from "./taxonomy.ts";

/**
 * Writes a solution's document by rules: the same needs, products and prices give the same text. A language model may
 * introduce the sections, in a text checked against them, but contributes no facts.
 */

/** Incremented with each change of the documents' content. */
const version = "1.1.0";

export const sectionIds = ["summary", "needs", "products", "flow", "control", "price", "risks", "next"] as const;
type SectionId = (typeof sectionIds)[number];

/** Escapes a caller's or firm's text for Markdown, so that nothing in it becomes markup. */
const plain = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#]/g, "\\$&");
const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** The data that the sections are written from. */
interface Draft {
  readonly known: Known;
  readonly design: Design;
  readonly matrix: readonly Match[];
  /** The chosen products, without duplicates. */
  readonly products: readonly Product[];
  /** The model's text or why it failed; `null` if none was requested. */
  readonly phrasing: Phrasing | null;
  tell(name: string, values?: Readonly<Record<string, string | number>>): string;
}

/** Returns the draft, built once for one section or all of them. */
function draftOf(known: Known, phrasing: Phrasing | null): Draft {
  const design = designOf(known);
  const chosen = new Set(design.chosen.map(({ product }) => product));
  return {
    known,
    design,
    matrix: matrixOf(known),
    products: known.products.filter(({ slug }) => chosen.has(slug)),
    phrasing,
    tell: (name, values = {}) =>
      say(
        known.reading.language,
        name,
        Object.fromEntries(Object.entries(values).map(([key, value]) => [key, plain(String(value))])),
      ),
  };
}

function summary({ known, design, products, tell }: Draft): string {
  const { company, country, industry } = known.intake;
  const needs = known.reading.needs.length;
  const served = needs - design.unserved.length;
  const line = tell("summary_line", { company, country, industry, served, needs, products: products.length });
  return `${line}\n\n${design.price.note}`;
}

function needsText({ known, design, products, tell }: Draft): string {
  return bullets(
    known.reading.needs.map(({ id, title: need }) => {
      const slug = design.chosen.find((one) => one.need === id)?.product;
      const product = products.find((one) => one.slug === slug)?.name;
      const reason = design.unserved.find((one) => one.need === id)?.reason ?? "";
      if (!product || !slug) return tell("not_served", { need, reason });
      const isWhole = taxonomy.needs[id]?.products[slug] === "full";
      return tell(isWhole ? "served_by" : "served_in_part", { need, product });
    }),
  );
}

const productsText = ({ products, matrix, tell }: Draft): string =>
  products
    .map(({ slug, name, maximum_credits: credits }) => {
      const reasons = matrix.filter(({ product, verdict }) => product === slug && verdict !== "refused");
      const told = new Set(reasons.flatMap((match) => match.reasons.map(({ text }) => plain(text))));
      return `**${plain(name)}** (${tell("credits_up_to", { credits })})\n\n${bullets([...told])}`;
    })
    .join("\n\n");

function flowText({ design }: Draft): string {
  const titles = new Map(design.nodes.map(({ id, title }) => [id, plain(title)]));
  return bullets(design.edges.map(({ from, to, data }) => `${titles.get(from)} → ${titles.get(to)}: ${data}`));
}

function controlText({ design, products, tell }: Draft): string {
  const nameOf = (slug: string) => products.find((product) => product.slug === slug)?.name ?? slug;
  const approvals = design.approvals.map(({ product, title: step }) =>
    tell("approval_line", { product: nameOf(product), step }),
  );
  const scopes = products.map(({ name, permissions }) =>
    tell("permissions_needed", { product: name, scopes: permissions.join(", ") }),
  );
  return bullets([...scopes, ...(approvals.length > 0 ? approvals : [tell("no_approval_needed")])]);
}

const priceText = ({ design, tell }: Draft): string =>
  [
    bullets(
      design.price.lines.map(
        ({ name, maximum_credits: credits }) => `${plain(name)}: ${tell("credits_up_to", { credits })}`,
      ),
    ),
    design.price.note,
  ].join("\n\n");

const isEnforced = (kind: string | null): boolean => kind !== null && taxonomy.constraints[kind]?.enforced === true;

/** Returns what the reader must know about how the document was written. */
const limitationsOf = ({ phrasing, tell }: Draft): string[] =>
  phrasing?.failure == null ? [] : [tell(`phrasing_${phrasing.failure}`)];

function risksText(draft: Draft): string {
  const { known, design, products, tell } = draft;
  const { contradictions, constraints } = known.reading;
  const limits = products.flatMap(({ name, limitations }) =>
    limitations.map((limitation) => `${plain(name)}: ${plain(limitation)}`),
  );
  return bullets([
    ...limitationsOf(draft),
    ...contradictions.map(({ message }) => plain(message)),
    ...design.unserved.map(({ title: need, reason }) => tell("not_served", { need, reason })),
    ...constraints.map(({ text: constraint, kind }) =>
      tell(isEnforced(kind) ? "constraint_checked" : "constraint_unchecked", { constraint }),
    ),
    ...limits,
  ]);
}

function nextText({ known, tell }: Draft): string {
  const templates = [...new Set(channelsOf(known.intake).flatMap(({ template }) => template ?? []))];
  return bullets([
    ...known.reading.missing.map(({ question }) => tell("next_missing", { question })),
    tell("next_quote"),
    ...templates.map((template) => tell("next_build", { template })),
  ]);
}

const writers: Readonly<Record<SectionId, (draft: Draft) => string>> = {
  summary,
  needs: needsText,
  products: productsText,
  flow: flowText,
  control: controlText,
  price: priceText,
  risks: risksText,
  next: nextText,
};

/**
 * Returns a section written by the rules, after the model's introduction if there is one. The price section never has
 * one.
 */
function sectionOf(draft: Draft, id: SectionId): Section {
  const said = id === "price" ? undefined : draft.phrasing?.prose?.[id];
  const ruled = writers[id](draft);
  return {
    id,
    title: draft.tell(`section_${id}`),
    markdown: said === undefined ? ruled : `${plain(said)}\n\n${ruled}`,
  };
}

/** Returns the checks that every document must pass, however it was written. */
function checksOf({ known, design, phrasing }: Draft): Composition["checks"] {
  const { lines, maximum_credits } = design.price;
  const sold = new Set(known.products.map(({ slug }) => slug));
  const answered = new Set([...design.chosen, ...design.unserved].map(({ need }) => need));
  return [
    {
      name: "every need is served or said to be unserved",
      passed: known.reading.needs.every(({ id }) => answered.has(id)),
    },
    { name: "every product is in the catalogue", passed: design.chosen.every(({ product }) => sold.has(product)) },
    {
      name: "the lines add up to the price",
      passed: lines.reduce((sum, line) => sum + line.maximum_credits, 0) === maximum_credits,
    },
    {
      name: "every edge joins two nodes of the graph",
      passed: design.edges.every(({ from, to }) => [from, to].every((id) => design.nodes.some((one) => one.id === id))),
    },
    // Only checked text is stored: see `prose.ts`.
    ...(phrasing?.prose ? [{ name: "every number and name of the model is in the design", passed: true }] : []),
  ];
}

/** Returns the whole document, with the model's text if there is one. */
export function composeOf(known: Known, phrasing: Phrasing | null = null): Composition {
  const draft = draftOf(known, phrasing);
  const title = say(known.reading.language, "title", { company: known.intake.company });
  const sections = sectionIds.map((id) => sectionOf(draft, id));
  const whole = {
    solution_id: known.solution_id,
    language: known.reading.language,
    title,
    sections,
    markdown: `# ${plain(title)}\n\n${sections.map((one) => `## ${one.title}\n\n${one.markdown}`).join("\n\n")}\n`,
    checks: checksOf(draft),
    price: draft.design.price,
    engine: { name: "solution-architect", version, model: phrasing?.prose ? phrasing.model : null },
    limitations: limitationsOf(draft),
  };
  return { ...whole, sha256: canonicalHash(whole) };
}

/** Returns a product's full description. */
function productDetails({ tell }: Draft, { name, description, inputs, limitations, ...sold }: Product): string {
  const asked = inputs.map((input) => `${input.name}${input.required ? " *" : ""}: ${input.description ?? ""}`.trim());
  return [
    `### ${plain(name)}`,
    plain(description),
    plain(sold.evidence_freshness),
    `**${tell("expand_inputs")}**\n\n${bullets(asked.map(plain))}`,
    `**${tell("expand_limits")}**\n\n${bullets(limitations.map(plain))}`,
    sold.documentation_url,
  ].join("\n\n");
}

/** Returns every need with the products that serve it and those refused. */
function needDetails({ known, matrix, tell }: Draft): string {
  const names = new Map(known.products.map(({ slug, name }) => [slug, name]));
  const told = known.reading.needs.map(({ id, title, goals, known: isKnown }) => {
    if (!isKnown) return `### ${plain(title)}\n\n${tell("unserved_not_recognised")}`;
    const verdicts = matrix
      .filter(({ need }) => need === id)
      .map(({ product, verdict, reasons }) => {
        const reason = reasons.map(({ text }) => text).join(" ");
        const name = names.get(product) ?? product;
        return verdict === "refused"
          ? tell("refused_line", { product: name, reason })
          : `${plain(name)}: ${plain(reason)}`;
      });
    return [`### ${plain(title)}`, goals.map((goal) => `> ${plain(goal)}`).join("\n>\n"), bullets(verdicts)].join(
      "\n\n",
    );
  });
  return told.join("\n\n");
}

/** Returns a section with its details; `undefined` if there is no section of that name. */
export function expandOf(
  known: Known,
  section: string,
  phrasing: Phrasing | null,
): { section: Section; details: string } | undefined {
  const id = sectionIds.find((one) => one === section);
  if (!id) return undefined;
  const draft = draftOf(known, phrasing);
  const shown = sectionOf(draft, id);
  if (id === "needs" || id === "risks") return { section: shown, details: needDetails(draft) };
  const { products } = draft;
  return { section: shown, details: products.map((product) => productDetails(draft, product)).join("\n\n") };
}
