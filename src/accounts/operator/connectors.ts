import { allConnectors } from "../../../db/queries/connectors.ts";
import type { ConnectorTable } from "../../../db/schema/job-tables.ts";
import type { Db } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { Principal } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { failure } from "../../platform/errors.ts";
import { platformGate, readGates } from "../../registry/registry.ts";
import { removeConnector } from "../admin/connectors.ts";
import { switchGate } from "../admin/permissions.ts";
import { connectorView, gateList, manifestOf } from "../admin/views.ts";
import { auditOf, type OperatorOptions } from "./firms.ts";
import type { OperatorConnector } from "./schema.ts";

function shown(row: ConnectorTable, gates: ReadonlySet<string>): OperatorConnector {
  const { slug, tool, semantic_version, engine, created_at, changed_at } = connectorView(row);
  const { name } = manifestOf(row);
  const times = { created_at, changed_at };
  const open = gates.has(slug);
  return { slug, firm_id: row.firm_id, name, semantic_version, tool, engine: engine.type, open, ...times };
}

/** Returns a connector by its slug, which is unique in the installation. Throws `not_found`. */
async function connectorNamed(db: Db, slug: string): Promise<ConnectorTable> {
  const row = (await allConnectors(unscoped(db))).find((one) => one.slug === slug);
  if (!row) throw failure("not_found");
  return row;
}

/** Controls what can be run: gates, and the firms' connectors, each of which has a gate. */
export class OperatorGates {
  constructor(private readonly options: OperatorOptions) {}

  private list(db: Db) {
    const { capabilities, useCases } = this.options.registry;
    return gateList(db, [...capabilities.keys(), ...useCases.keys()]);
  }

  gates() {
    return this.list(this.options.store.read);
  }

  /** Opens or closes a gate. Throws `not_found` for an unknown name. */
  setGate(caller: Principal, name: string, open: boolean) {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      if (name !== platformGate && !(await this.list(tx)).some((gate) => gate.name === name))
        throw failure("not_found");
      await switchGate(tx, auditOf(caller, runtime), name, open);
      return present(
        (await this.list(tx)).find((gate) => gate.name === name),
        "the gate",
      );
    });
  }

  async connectors(): Promise<OperatorConnector[]> {
    const { read } = this.options.store;
    const gates = await readGates(read);
    return (await allConnectors(unscoped(read))).map((row) => shown(row, gates));
  }

  /** Enables or disables a connector. */
  setConnector(caller: Principal, slug: string, open: boolean): Promise<OperatorConnector> {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      const row = await connectorNamed(tx, slug);
      await switchGate(tx, auditOf(caller, runtime), slug, open);
      return shown(row, await readGates(tx));
    });
  }

  /** Removes a connector from its firm. Attempts in progress complete. */
  removeConnector(caller: Principal, slug: string): Promise<void> {
    const { store, runtime } = this.options;
    return store.write(async (tx) => {
      const { firm_id } = await connectorNamed(tx, slug);
      await removeConnector(tx, auditOf(caller, runtime), firm_id, slug);
    });
  }
}
