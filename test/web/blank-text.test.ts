import { afterAll, describe, expect, test } from "bun:test";
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { problems } from "../../src/platform/validate.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { errorIn, World } from "../support/harness.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

/** Returns the members that must not be blank and have no other format that would exclude blanks. */
function textsIn(schema: TSchema, at = ""): { readonly place: string; readonly schema: TSchema }[] {
  if (TypeGuard.IsObject(schema))
    return Object.entries(schema.properties).flatMap(([name, member]) => textsIn(member, `${at}/${name}`));
  if (TypeGuard.IsArray(schema)) return textsIn(schema.items, `${at}/*`);
  if (!TypeGuard.IsString(schema) || (schema.minLength ?? 0) === 0 || schema.format === "uri") return [];
  return [{ place: at, schema }];
}

describe("blank text is refused", () => {
  const inputs = [...capabilities, ...useCases].map(({ slug, input_schema }) => [slug, input_schema] as const);
  test.each(inputs)("in the input of %s", (_, input_schema) => {
    for (const { place, schema } of textsIn(input_schema)) {
      const blank = " ".repeat(schema.minLength ?? 1);
      expect([place, problems(schema, blank, place)]).toEqual([place, [expect.objectContaining({ path: place })]]);
    }
  });

  test("in the name of a saved configuration, a key and a connection", async () => {
    const firm = await world.firm();
    const asks = [
      ["/v1/saved-configurations", firm.key, { name: "  ", capability: "echo", input: { text: "x" } }],
      [
        "/v1/developer/api-keys",
        firm.people.owner.token,
        { name: "  ", scopes: ["runs:read"], workspace_id: firm.workspaces[0] },
      ],
      ["/v1/developer/connections", firm.people.owner.token, { name: "  ", workspace_id: firm.workspaces[0] }],
    ] as const;
    for (const [path, as, body] of asks) {
      const answer = await world.ask(path, { as, body });
      expect([path, answer.status]).toEqual([path, 422]);
      expect((await errorIn(answer)).details?.map((detail) => detail.path)).toEqual(["/body/name"]);
    }
  });

  /**
   * Invisible characters: zero-width space and joiner, direction override, filler, soft hyphen, byte order mark, line
   * separators.
   */
  const unseen = [
    "\u200b\u200d",
    "\u202e\u200f",
    "\u3164\u2800",
    "\u00ad\ufeff \u00a0",
    "\u0000\u007f",
    "\u2028\u2029\u0085",
  ];
  test.each(inputs)("and invisible text, in the input of %s", (_, input_schema) => {
    for (const { place, schema } of textsIn(input_schema))
      for (const text of unseen) {
        const given = text.repeat(schema.minLength ?? 1).slice(0, schema.maxLength);
        expect([place, problems(schema, given, place)]).toEqual([place, [expect.objectContaining({ path: place })]]);
      }
  });

  test("and names cannot contain characters that make them look like others", async () => {
    const firm = await world.firm();
    const [owner, workspace_id] = [firm.people.owner.token, firm.workspaces[0]];
    const saved = { capability: "echo", input: { text: "x" } };
    const ask = async (path: string, as: string, body: object, method = "POST") => {
      const answer = await world.ask(path, { method, as, body });
      return [answer.status, answer.status === 422 ? (await errorIn(answer)).details?.[0]?.path : undefined];
    };
    for (const name of [...unseen, "Ac\u202eme", "Acme\u2066", "Ac\u0007me"]) {
      const refused = [422, "/body/name"];
      expect(await ask("/v1/saved-configurations", firm.key, { ...saved, name })).toEqual(refused);
      expect(await ask("/v1/developer/api-keys", owner, { scopes: ["runs:read"], workspace_id, name })).toEqual(
        refused,
      );
      expect(await ask("/v1/developer/connections", owner, { workspace_id, name })).toEqual(refused);
      expect(await ask("/auth/v1/user", owner, { full_name: name }, "PUT")).toEqual([422, "/body/full_name"]);
    }
    for (const name of ["\u{1f469}\u200d\u{1f4bb} team", "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc"])
      expect(await ask("/v1/saved-configurations", firm.key, { ...saved, name })).toEqual([201, undefined]);
  });

  test("and the error says so", () => {
    const name = capabilities.find(({ slug }) => slug === "exa-filter")?.input_schema.properties.question;
    if (!name) throw new Error("it asks a question");
    expect(problems(name, "     ", "/body/input/question")).toEqual([
      { path: "/body/input/question", message: "must contain at least one visible character" },
    ]);
  });
});
