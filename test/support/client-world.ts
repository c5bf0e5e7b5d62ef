import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { type Firm, World } from "./harness.ts";

/** The real catalogue, served on its own port, for clients in any language. */
export interface ClientWorld extends AsyncDisposable {
  readonly world: World;
  readonly firm: Firm;
  readonly baseUrl: string;
}

/** The gates to open: capabilities that need no network. */
const open = ["exa-filter", "afa-assurance", "advice-assurance-check"];

/** Opens the server with one firm, whose key has every scope. */
export async function openClientWorld(): Promise<ClientWorld> {
  const world = await World.open(undefined, { capabilities, useCases, stepEngines: {} });
  await world.openGates(...open);
  const server = Bun.serve({ port: 0, fetch: (request, socket) => world.app.fetch(request, socket) });
  return {
    world,
    firm: await world.firm(),
    baseUrl: server.url.origin,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await world[Symbol.asyncDispose]();
    },
  };
}
