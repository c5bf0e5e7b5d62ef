import { Failure, invalid } from "../../platform/errors.ts";
import type { UseCases } from "../../products/use-cases/service.ts";
import { useCaseNamed } from "../../registry/named.ts";
import { parsed } from "../../web/prerendered.ts";
import type { DocDetail, DocSummary } from "../docs/schema.ts";
import type { Docs } from "../docs/service.ts";
import { capabilityDetail, type LibraryServices } from "./library.ts";
import type { Caller } from "./tool.ts";

/** A resource that can be read by its URI: a page of the documentation or a contract of the catalogue. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const json = "application/json";
const markdown = "text/markdown";

/** URI templates that a client can fill in. */
export const resourceTemplates = [
  {
    uriTemplate: "assay://docs/{slug}",
    name: "doc",
    title: "Documentation page",
    description: "A page of the documentation as Markdown.",
    mimeType: markdown,
  },
  {
    uriTemplate: "assay://capabilities/{slug}",
    name: "capability",
    title: "Capability contract",
    description: "The full contract of a capability.",
    mimeType: json,
  },
  {
    uriTemplate: "assay://use-cases/{slug}",
    name: "use-case",
    title: "Use case",
    description: "Steps, price, input and limits of a use case.",
    mimeType: json,
  },
] as const;

const pageSize = 50;
/** The protocol's maximum number of completions. */
const completionsAtMost = 100;
const address = /^assay:\/\/(docs|capabilities|use-cases)\/([a-z0-9_-]{1,120})$/;

const mimeTypeOf = (kind: string): string => (kind === "docs" ? markdown : json);

const resource = (
  kind: "docs" | "capabilities" | "use-cases",
  slug: string,
  title: string,
  description: string,
): Resource => ({ uri: `assay://${kind}/${slug}`, name: slug, title, description, mimeType: mimeTypeOf(kind) });

/** Encodes a cursor: the number of items before it, opaque to clients. */
const cursorOf = (at: number): string => Buffer.from(`at:${at}`).toString("base64url");
function readCursor(cursor: string): number {
  const at = /^at:([1-9]\d{0,5})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (at === undefined) throw invalid("/params/cursor", "is not a cursor of this list");
  return Number(at);
}

/** Services used by the resources. */
export interface ResourceServices extends LibraryServices {
  readonly useCases: UseCases;
}

/**
 * Creates the resources that the endpoint lists, reads and completes. Results depend on the caller: what is private to
 * other firms is left out.
 */
export function createResources(services: ResourceServices, docs: Docs) {
  const { catalogue, useCases, registry } = services;

  async function all({ entitlements }: Caller): Promise<Resource[]> {
    const pages: DocSummary[] = parsed(await docs.list());
    const capabilities = await catalogue.listFor(entitlements);
    const productized = await useCases.list({});
    return [
      ...pages.map(({ slug, title, summary }) => resource("docs", slug, title, summary)),
      ...capabilities.map(({ slug, name, outcome }) => resource("capabilities", slug, name, outcome)),
      ...productized.map(({ slug, name, outcome }) => resource("use-cases", slug, name, outcome)),
    ];
  }

  async function textOf(kind: string, slug: string, { entitlements }: Caller): Promise<string> {
    if (kind === "capabilities") return JSON.stringify(await capabilityDetail(services, slug, entitlements));
    if (kind === "use-cases") return JSON.stringify(await useCases.detail(useCaseNamed(registry, slug)));
    const page: DocDetail = parsed(await docs.detail(slug));
    return `# ${page.title}\n\n${page.body_markdown}`;
  }

  return {
    /** Returns a page of resources, documentation first. Throws `validation_error` for an invalid cursor. */
    async list(
      caller: Caller,
      cursor: string | undefined,
    ): Promise<{ resources: Resource[]; next: string | undefined }> {
      const from = cursor === undefined ? 0 : readCursor(cursor);
      const resources = await all(caller);
      const next = from + pageSize < resources.length ? cursorOf(from + pageSize) : undefined;
      return { resources: resources.slice(from, from + pageSize), next };
    },

    /** Returns a resource's text and type; undefined if it does not exist for the caller. */
    async read(uri: string, caller: Caller): Promise<{ text: string; mimeType: string } | undefined> {
      const [, kind, slug] = address.exec(uri) ?? [];
      if (kind === undefined || slug === undefined) return undefined;
      try {
        return { text: await textOf(kind, slug, caller), mimeType: mimeTypeOf(kind) };
      } catch (error) {
        if (error instanceof Failure && error.code === "not_found") return undefined;
        throw error;
      }
    },

    /** Returns the slugs of a template that start with the typed text. */
    async complete(uriTemplate: string, typed: string, caller: Caller): Promise<string[]> {
      const prefix = uriTemplate.replace("{slug}", "");
      const found = (await all(caller)).filter(({ uri }) => uri.startsWith(prefix + typed));
      return found.map(({ name }) => name).slice(0, completionsAtMost);
    },
  };
}

export type Resources = ReturnType<typeof createResources>;
