import { describe, expect, test } from "bun:test";
import { serve } from "../../support/company-sites.ts";
import { packFirm, packInput, packServices, packWorld, restingPack } from "../../support/pack-world.ts";

const site = {
  "www.firm.cz": {
    "/": "<title>Kolocover s.r.o. | cycling insurance</title><h1>Cycling insurance for commuters</h1><h2>Theft cover</h2><h2>Liability cover</h2><p>Kolocover insures people who commute by bicycle in the Czech Republic.</p>",
  },
};

describe("a Market-Entry Pack", () => {
  test("goes from a site to targets that wait for a person", async () => {
    await using served = await serve(site);
    await using world = await packWorld(packServices(undefined, served.outbound));
    const firm = await packFirm(world);
    const run = await restingPack(world, firm, { ...packInput, company_url: served.url("www.firm.cz") });
    console.log(JSON.stringify(run, null, 1).slice(0, 6000));
    expect(run.status).toBe("awaiting_approval");
  });
});
