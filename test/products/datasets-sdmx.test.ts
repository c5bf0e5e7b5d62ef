import { describe, expect, test } from "bun:test";
import { figuresOf, readText, refusalOf } from "../support/datasets.ts";

const header = `<m:Header><m:ID>1</m:ID><m:Prepared>2026-04-02T16:53:31Z</m:Prepared><m:Sender id="XX"/>
<m:Structure structureID="S"><c:Structure><Ref id="RATES" agencyID="XX"/></c:Structure></m:Structure></m:Header>`;
const message = (name: string, content: string): string =>
  `<?xml version="1.0"?><m:${name} xmlns:m="urn:m" xmlns:c="urn:c">${header}<m:DataSet>${content}</m:DataSet></m:${name}>`;

const value = (id: string, text: string): string => `<g:Value id="${id}" value="${text}"/>`;
const generic = (observations: string, more = ""): string =>
  message(
    "GenericData",
    `<g:Series><g:SeriesKey>${value("FREQ", "A")}${value("REF_AREA", "DE")}${value("SEX", "1")}</g:SeriesKey>
    <g:Attributes>${value("UNIT_MEASURE", "PS")}${value("TITLE", "Men")}${more}</g:Attributes>${observations}</g:Series>`,
  );
const observed = (period: string, text: string, status: string): string =>
  `<g:Obs><g:ObsDimension value="${period}"/><g:ObsValue value="${text}"/><g:Attributes>${value("OBS_STATUS", status)}</g:Attributes></g:Obs>`;
const specific = (observations: string): string =>
  message(
    "StructureSpecificData",
    `<Series FREQ="A" REF_AREA="DE" SEX="1" UNIT_MEASURE="PS" TITLE="Men">${observations}</Series>`,
  );

const rowsOf = (table: Parameters<typeof figuresOf>[0]) =>
  figuresOf(table).map((one) => [one.place, one.period, one.value, one.missing, one.flags, one.unit]);

describe("SDMX-ML", () => {
  test("gives the same rows whether it is generic or structure-specific, and no flag to a normal value", async () => {
    const first = await readText("a.xml", generic(observed("2020", "12.5", "A") + observed("2021", "NaN", "M")));
    const second = await readText(
      "b.xml",
      specific(
        `<Obs TIME_PERIOD="2020" OBS_VALUE="12.5" OBS_STATUS="A"/><Obs TIME_PERIOD="2021" OBS_VALUE="NaN" OBS_STATUS="M"/>`,
      ),
    );
    expect(rowsOf(first.table)).toEqual([
      ["DE", "2020", 12.5, null, "", "PS"],
      ["DE", "2021", null, "m", "", "PS"],
    ]);
    expect(rowsOf(second.table)).toEqual(rowsOf(first.table));
    expect(first.staged.facts).toMatchObject({ publisher: "XX", code: "rates", retrieved: "2026-04-02" });
  });

  test("states the power of ten of a value, and does not confuse it with a presentation scale", async () => {
    const rows = observed("2020", "3548.5", "P");
    const { table } = await readText("a.xml", generic(rows, value("UNIT_MULT", "3") + value("SCALE", "9")));
    expect(rowsOf(table)).toEqual([["DE", "2020", 3548.5, null, "p", "thousand (PS)"]]);
  });

  test("applies the attributes of a group to the series that it names", async () => {
    const group = `<Group SEX="2" TITLE="Women"/><Group SEX="1" TITLE="Boys and men" UNIT_MEASURE="PS"/>`;
    const series = `<Series REF_AREA="DE" SEX="1"><Obs TIME_PERIOD="2020" OBS_VALUE="1"/></Series>`;
    const { table } = await readText("a.xml", message("StructureSpecificData", group + series));
    expect(table.indicators().map(({ title }) => title)).toEqual(["Boys and men"]);
    expect(rowsOf(table)).toEqual([["DE", "2020", 1, null, "", "PS"]]);
  });

  test("is refused observation by observation, or as a whole if truncated or not a message", async () => {
    const { refused } = await readText(
      "a.xml",
      generic(observed("2020", "1", "A") + observed("20x0", "1", "A") + observed("2021", "=1+1", "A")),
    );
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [2, "period"],
      [3, "not_a_number"],
    ]);
    const whole = generic(observed("2020", "1", "A"));
    expect((await refusalOf(readText("b.xml", whole.slice(0, -40)))).code).toBe("truncated");
    expect((await refusalOf(readText("c.xml", `<a b="${"x".repeat(3_000_000)}"/>`))).code).toBe("too_long");
    expect((await refusalOf(readText("d.xml", `${"<a>".repeat(5000)}`))).code).toBe("too_long");
    expect((await refusalOf(readText("e.xml", "<html><body>Not found</body></html>"))).code).toBe("format");
  });
});

describe("SDMX-JSON", () => {
  const component = (id: string, ...codes: string[]) => ({ id, values: codes.map((code) => ({ id: code })) });
  const structure = (at: "series" | "observation") => ({
    name: "Rates",
    dimensions: {
      observation: [
        ...(at === "observation" ? [component("REF_AREA", "DE", "CZ")] : []),
        component("TIME_PERIOD", "2020", "2021"),
      ],
      series: at === "series" ? [component("REF_AREA", "DE", "CZ")] : [],
    },
    attributes: { series: [], observation: [component("TIME_FORMAT"), component("OBS_STATUS", "A", "E")] },
  });
  const mapping = "publisher: XX\nunit: {fixed: persons}\n";

  test("gives the same rows flat and by series, and recognises an index by the attribute that has values", async () => {
    const flat = {
      structure: structure("observation"),
      dataSets: [{ observations: { "0:0": [1.5, null], "1:1": [2, 1] } }],
    };
    const observations = (at: string, cells: unknown) => ({ observations: { [at]: cells } });
    const series = { "0": observations("0", [1.5, null]), "1": observations("1", [2, 1]) };
    const nested = { data: { structure: structure("series"), dataSets: [{ series }] } };
    const first = await readText("a.json", JSON.stringify(flat), mapping);
    expect(rowsOf(first.table)).toEqual([
      ["DE", "2020", 1.5, null, "", "persons"],
      ["CZ", "2021", 2, null, "e", "persons"],
    ]);
    const second = await readText("b.json", JSON.stringify(nested), mapping);
    expect(rowsOf(second.table)).toEqual(rowsOf(first.table));
  });

  test("without an observation is refused", async () => {
    const empty = { structure: structure("series"), dataSets: [{ series: {} }] };
    expect((await refusalOf(readText("a.json", JSON.stringify(empty), mapping))).code).toBe("empty");
  });
});
