import { expect, test } from "bun:test";
import { refusal, type World } from "../support/harness.ts";
import { pack, packFirm, packInput, packWorld, restingPack } from "../support/pack-world.ts";

type Details = readonly { readonly path: string; readonly message: string }[];

const question = "How many people live there?";

/** Every input that takes country codes, each with the path of the first code. */
const ways: readonly (readonly [string, string, (codes: readonly string[]) => unknown])[] = [
  [
    `/v1/use-cases/${pack}/quote`,
    "/body/input/candidate_markets/0",
    (codes) => ({ input: { ...packInput, candidate_markets: codes } }),
  ],
  [
    `/v1/use-cases/${pack}/runs`,
    "/body/input/candidate_markets/0",
    (codes) => ({ input: { ...packInput, candidate_markets: codes } }),
  ],
  [
    "/v1/use-cases/eu-market-snapshot/quote",
    "/body/input/countries/0",
    (countries) => ({ input: { question, countries } }),
  ],
  [
    "/v1/capabilities/eu-market-data/runs",
    "/body/input/countries/0",
    (countries) => ({ input: { question, countries } }),
  ],
  [
    "/v1/use-cases/sourced-insurance-answers/quote",
    "/body/input/country",
    ([country]) => ({ input: { question, country } }),
  ],
  ["/v1/insurance/ask", "/body/country", ([country]) => ({ question, country })],
  [
    "/v1/saved-configurations",
    "/body/input/countries/0",
    (countries) => ({ name: "People", capability: "eu-market-data", input: { question, countries } }),
  ],
];

async function detailsOf(world: World, key: string, path: string, body: unknown): Promise<Details> {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const answer = (await (await world.ask(path, { as: key, body, headers })).json()) as {
    error?: { details?: Details };
  };
  return answer.error?.details ?? [];
}

for (const [path, at, bodyOf] of ways)
  test(`a country code that does not exist is refused at its path: ${path}`, async () => {
    await using world = await packWorld();
    const { key } = await packFirm(world);
    for (const code of ["XX", "zz", "QQ", "AB"]) {
      const [first, ...others] = await detailsOf(world, key, path, bodyOf([code, "DE"]));
      expect([first?.path, others]).toEqual([at, []]);
      expect(first?.message).toStartWith("must be the two letters of a country (ISO 3166-1 alpha-2)");
    }
    for (const code of ["D", "DEU", "D1", "č1"])
      expect((await detailsOf(world, key, path, bodyOf([code, "DE"])))[0]?.path).toBe(at);
    for (const code of ["cz", "GB", "BR", "el", "UK", "XK"])
      expect(await detailsOf(world, key, path, bodyOf([code, "DE"]))).toEqual([]);
  });

test("the EU has figures and documents, but is not a market to enter", async () => {
  await using world = await packWorld();
  const { key } = await packFirm(world);
  const of = (at: string) => ways.filter(([path]) => path.includes(at));
  for (const [path, , bodyOf] of [...of("eu-market"), ...of("insurance"), ...of("saved")])
    expect(await detailsOf(world, key, path, bodyOf(["EU", "DE"]))).toEqual([]);
  for (const [path, at, bodyOf] of of(pack))
    expect((await detailsOf(world, key, path, bodyOf(["EU", "DE"]))).map((one) => one.path)).toEqual([at]);
});

test("a refused run of the pack reserves nothing", async () => {
  await using world = await packWorld();
  const firm = await packFirm(world);
  const before = await world.balance(firm);
  const body = { input: { ...packInput, candidate_markets: ["XX", "ZZ"] } };
  const answer = await world.ask(`/v1/use-cases/${pack}/runs`, { as: firm.key, body });
  expect(await refusal(answer)).toEqual([422, "validation_error"]);
  expect(await world.balance(firm)).toEqual(before);
});

test("a country named twice is one candidate, and the report says that it was compared with no other", async () => {
  await using world = await packWorld();
  const firm = await packFirm(world);
  const run = await restingPack(world, firm, { ...packInput, candidate_markets: ["AT", "at"] });
  expect(run.status).toBe("succeeded");
  const [structure, report] = ["structure", "report"].map((key) => run.steps.find((step) => step.key === key)?.result);
  expect(structure).toMatchObject({
    scores: [{ country: "AT" }],
    summary: expect.stringContaining("The only candidate, compared with no other, is Austria."),
  });
  expect(report).toMatchObject({ markdown: expect.stringContaining("Austria was the only candidate") });
});

test("Greece and the United Kingdom are scored by either of their codes", async () => {
  await using world = await packWorld();
  const scores = async (candidate_markets: readonly string[]) => {
    const run = await restingPack(world, await packFirm(world), { ...packInput, candidate_markets });
    return run.steps.find(({ key }) => key === "structure")?.result;
  };
  expect(await scores(["EL", "uk"])).toEqual(await scores(["GR", "GB"]));
});
