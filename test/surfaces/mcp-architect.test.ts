import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openArchitect, usualIntake } from "../support/architect-world.ts";
import type { Firm, World } from "../support/harness.ts";
import { callTool, toolsOf } from "../support/mcp-world.ts";

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a solution over MCP", () => {
  test("is started with its questions, and its link is only for people", async () => {
    const found = await callTool(world, firm.key, "start_solution", { ...usualIntake, channels: [] });
    expect(found.isError).toBe(false);
    expect(found.value).toMatchObject({ completeness: expect.any(Number) });
    expect(JSON.stringify(found)).not.toContain("resume_token");
    expect(found.text).toContain("Where will people use it?");
  });

  test("is read in parts, and another firm's is missing", async () => {
    const { value } = await callTool(world, firm.key, "start_solution", usualIntake);
    const solution_id = value.solution_id;
    for (const part of ["blueprint", "design", "recommendations", "document"]) {
      const read = await callTool(world, firm.key, "get_solution", { solution_id, part });
      expect([part, read.isError, read.value.solution_id]).toEqual([part, false, solution_id]);
    }
    const other = await world.firm();
    const theirs = await callTool(world, other.key, "get_solution", { solution_id, part: "document" });
    expect([theirs.isError, theirs.error.code]).toEqual([true, "not_found"]);
  });

  test("is read-only except for its intake, and can be neither saved nor unlocked", async () => {
    const tools = (await toolsOf(world, firm.key)).filter(({ name }) => name.includes("solution"));
    expect(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])).toEqual([
      ["start_solution", false],
      ["get_solution", true],
    ]);
  });
});
