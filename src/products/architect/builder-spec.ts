import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { exampleInput } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import { Composition, Design, KeptIntake, Need, Product, TemplateName } from "./schema.ts";
import templates from "./templates.yaml" with { type: "yaml" };

/** The specification given to a builder. It derives from the saved solution alone, so no request can change it. */

const SavedProduct = closed({ ...Product.properties, example: T.Unknown() });
/** The saved form of a solution, as JSON. */
export const Saved = closed({
  intake: KeptIntake,
  needs: T.Array(Need),
  composition: Composition,
  design: Design,
  products: T.Array(SavedProduct),
});
export type Saved = Static<typeof Saved>;

const AcceptanceTest = closed({
  id: T.String(),
  given: T.String(),
  when: T.String(),
  expect: T.String(),
  command: nullable(T.String({ description: "Prints `pass` and exits 0, or exits 1." })),
});

export const BuilderSpec = closed(
  {
    solution_id: T.String({ format: "uuid" }),
    template: TemplateName,
    title: T.String(),
    purpose: T.String(),
    saved_sha256: T.String(),
    buildable: T.Boolean({ description: "False if no product of the saved solution can be called over REST." }),
    components: T.Array(closed({ name: T.String(), does: T.String() })),
    products: T.Array(SavedProduct),
    boundary: closed({
      products: T.Array(T.String()),
      scopes: T.Array(T.String()),
      maximum_credits: T.Integer(),
      approvals: T.Array(closed({ product: T.String(), step: T.String(), title: T.String() })),
      unserved: T.Array(T.String()),
      rules: T.Array(T.String()),
    }),
    acceptance_tests: T.Array(AcceptanceTest),
  },
  { title: "BuilderSpec" },
);
export type BuilderSpec = Static<typeof BuilderSpec>;

interface Template {
  readonly title: string;
  readonly purpose: string;
  readonly components: BuilderSpec["components"];
  readonly rules: readonly string[];
  readonly tests: readonly {
    readonly id: string;
    readonly given: string;
    readonly when: string;
    readonly expect: string;
  }[];
}
const known = templates as Readonly<Record<TemplateName, Template>>;

/** Returns an example input from the product's own manifest; `null` if it has none. Called when a solution is saved. */
export function exampleOf(registry: Registry, { kind, slug, capabilities }: Product): unknown {
  const [only, ...others] = capabilities;
  if (only === undefined || (kind === "use_case" && others.length > 0)) return null;
  const manifest = registry.capabilities.get(kind === "capability" ? slug : only);
  return (manifest && exampleInput(manifest)) ?? null;
}

/** Quotes a text as a single shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns a shell test that calls curl and passes if the status matches. The builder sets `ASSAY_BASE_URL` and
 * `ASSAY_API_KEY`.
 */
function passesWith(status: number, path: string, body: unknown, headers: readonly string[]): string {
  const sent = ["content-type: application/json", ...headers].map((header) => `-H "${header}"`).join(" ");
  const ask = `curl -s -o /dev/null -w '%{http_code}' "$ASSAY_BASE_URL${path}" ${sent} -d ${quoted(JSON.stringify(body))}`;
  return `test "$(${ask})" = ${status} && echo pass`;
}

/** Returns a shell test that requests a quote and passes if the first price in it is at most `credits`. */
function quotesAtMost(credits: number, path: string, body: unknown): string {
  const ask = `curl -s "$ASSAY_BASE_URL${path}" -H "content-type: application/json" -d ${quoted(JSON.stringify(body))}`;
  const price = `${ask} | grep -o '"maximum_credits":[0-9]*' | head -n 1 | cut -d : -f 2`;
  return `test "$(${price})" -le ${credits} && echo pass || false`;
}

const bearer = "authorization: Bearer $ASSAY_API_KEY";
const freshKey = (id: string) => `idempotency-key: acceptance-${id}-$(date +%s)`;

/** Returns tests of a product's contract that spend no credits. */
function productTests({
  slug,
  kind,
  maximum_credits,
  example,
}: Saved["products"][number]): BuilderSpec["acceptance_tests"] {
  const path = `/v1/${kind === "capability" ? "capabilities" : "use-cases"}/${slug}`;
  const runs = `${path}/runs`;
  const input = example ?? {};
  const tests = [
    {
      id: `${slug}-credential`,
      given: `no credential`,
      when: `a run of ${slug} is asked for`,
      expect: "401, and nothing is charged",
      command: passesWith(401, runs, { input }, [freshKey(slug)]),
    },
    {
      id: `${slug}-input`,
      given: "an input with a member that the product does not know",
      when: `a run of ${slug} is asked for`,
      expect: "422, and nothing is charged",
      command: passesWith(422, runs, { input: { no_such_member: 1 } }, [bearer, freshKey(slug)]),
    },
  ];
  if (kind === "capability" && maximum_credits > 0 && example !== null)
    tests.push({
      id: `${slug}-price`,
      given: "a maximum below the price",
      when: `a run of ${slug} is asked for`,
      expect: "409 price_exceeds_maximum, and nothing is charged",
      command: passesWith(409, runs, { input, maximum_credits: 0 }, [bearer, freshKey(slug)]),
    });
  if (kind === "use_case" && example !== null)
    tests.push({
      id: `${slug}-price`,
      given: "the input that its manifest shows",
      when: `a quote for ${slug} is asked for`,
      expect: `at most the ${maximum_credits} credits that were saved`,
      command: quotesAtMost(maximum_credits, `${path}/quote`, { input }),
    });
  return tests;
}

/** Returns the specification of a template for a saved solution. */
export function builderSpecOf(template: TemplateName, saved: Saved): BuilderSpec {
  const { title, purpose, components, rules, tests } = known[template];
  const { composition, design, products } = saved;
  const callable = products.filter(({ surfaces }) => surfaces.includes("rest"));
  return {
    solution_id: composition.solution_id,
    template,
    title: `${title}: ${saved.intake.company}`,
    purpose,
    saved_sha256: composition.sha256,
    buildable: callable.length > 0,
    components: [...components],
    products: callable,
    boundary: {
      products: callable.map(({ slug }) => slug),
      scopes: [...new Set(callable.flatMap(({ permissions }) => permissions)), "runs:read"],
      maximum_credits: callable.reduce((sum, { maximum_credits }) => sum + maximum_credits, 0),
      approvals: design.approvals.filter(({ product }) => callable.some(({ slug }) => slug === product)),
      unserved: design.unserved.map(({ title: need }) => need),
      rules: [...rules],
    },
    acceptance_tests: [...callable.flatMap(productTests), ...tests.map((one) => ({ ...one, command: null }))],
  };
}
