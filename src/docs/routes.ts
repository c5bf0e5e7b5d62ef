import { type AnyElysia, Elysia } from "elysia";
import type { Parts } from "../parts.ts";

/** Documentation: filled by the docs room. */
export const docsRoutes = async ({ access }: Parts, _documented: AnyElysia) =>
  new Elysia({ name: "docs", normalize: false }).use(access);
