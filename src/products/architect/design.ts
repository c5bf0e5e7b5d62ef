import { type Known, matrixOf } from "./blueprint.ts";
import { leftOf, type Pick, picksOf, priceOf } from "./recommend.ts";
import type { Blueprint, Design, Product } from "./schema.ts";
import { kindOf, say, taxonomy } from "./taxonomy.ts";

/** A solution as a matrix of needs and products, and as a data-flow graph. */

type Node = Design["nodes"][number];
type Edge = Design["edges"][number];

/** Returns the matrix, with the needs that nothing serves. */
export function blueprintOf(known: Known): Blueprint {
  const matrix = matrixOf(known);
  const { solution_id, reading, products } = known;
  return {
    solution_id,
    needs: reading.needs,
    products: products.map(({ slug, name, maximum_credits }) => ({ slug, name, maximum_credits })),
    matrix,
    unserved: leftOf(known, picksOf(known, matrix)),
    contradictions: reading.contradictions,
  };
}

const node = (id: string, kind: Node["kind"], title: string, more: Partial<Node> = {}): Node => ({
  ...{ id, kind, title, product: null, permissions: [], maximum_credits: null },
  ...more,
});

/** Returns the nodes and edges of a product, its approvals and its result, which waits for any step's approval. */
function partsOf(product: Product, flow: (name: string) => string): { nodes: Node[]; edges: Edge[] } {
  const { slug, name, outcome, permissions, maximum_credits } = product;
  const own = `product:${slug}`;
  const result = `result:${slug}`;
  const approvals = product.approvals.map(({ step, title }) =>
    node(`approval:${slug}:${step}`, "approval", title, { product: slug }),
  );
  const direct = { from: own, to: result, data: flow("result") };
  return {
    nodes: [
      node(own, "product", name, { product: slug, permissions, maximum_credits }),
      ...product.capabilities
        .filter((capability) => capability !== slug)
        .map((capability) => node(`step:${slug}:${capability}`, "step", capability, { product: slug })),
      ...approvals,
      node(result, "result", outcome, { product: slug }),
    ],
    edges: [
      ...product.capabilities
        .filter((capability) => capability !== slug)
        .map((capability) => ({ from: `step:${slug}:${capability}`, to: own, data: flow("earlier") })),
      ...(approvals.length === 0 ? [direct] : []),
      ...approvals.flatMap(({ id }) => [
        { from: own, to: id, data: flow("proposed") },
        { from: id, to: result, data: flow("result") },
      ]),
    ],
  };
}

/** Returns the products whose needs use a source of that kind, or all products if none does or the kind is unknown. */
function takersOf(source: string, picks: readonly Pick[], products: readonly Product[]): readonly Product[] {
  const kind = kindOf(source, taxonomy.sources);
  const needing = picks.filter(({ need }) => taxonomy.needs[need]?.needs_sources.some((wanted) => wanted === kind));
  const takers = products.filter(({ slug }) => needing.some(({ product }) => product.slug === slug));
  return takers.length > 0 ? takers : products;
}

function graphOf({ intake, reading }: Known, picks: readonly Pick[]) {
  const products = [...new Map(picks.map(({ product }) => [product.slug, product])).values()];
  const flow = (name: string) => say(reading.language, `flow_${name}`);
  const named = (texts: readonly string[], kind: "channel" | "source") =>
    texts.filter((text) => text.trim() !== "").map((text, i) => node(`${kind}:${i + 1}`, kind, text));
  const channels = named(intake.channels, "channel");
  const sources = named(intake.data_sources, "source");
  const parts = products.map((product) => partsOf(product, flow));
  const into = (from: readonly Node[], data: string, takers: (text: string) => readonly Product[]): Edge[] =>
    from.flatMap(({ id, title }) => takers(title).map(({ slug }) => ({ from: id, to: `product:${slug}`, data })));
  return {
    nodes: [...channels, ...sources, ...parts.flatMap(({ nodes }) => nodes)],
    edges: [
      ...into(channels, flow("caller"), () => products),
      ...into(sources, flow("source"), (text) => takersOf(text, picks, products)),
      ...parts.flatMap(({ edges }) => edges),
    ],
  };
}

/** Returns the graph of the chosen products: data flow, permissions, approvals and price. */
export function designOf(known: Known): Design {
  const picks = picksOf(known, matrixOf(known));
  const products = [...new Map(picks.map(({ product }) => [product.slug, product])).values()];
  return {
    solution_id: known.solution_id,
    ...graphOf(known, picks),
    chosen: picks.map(({ need, product }) => ({ need, product: product.slug })),
    permissions: [...new Set(products.flatMap(({ permissions }) => permissions))],
    approvals: products.flatMap(({ slug, approvals }) => approvals.map((approval) => ({ product: slug, ...approval }))),
    price: priceOf(known, picks),
    unserved: leftOf(known, picks),
    contradictions: known.reading.contradictions,
  };
}
