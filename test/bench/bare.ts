import { Elysia } from "elysia";

/** The least that a compiled Elysia program is: what the product's start and idle memory are compared with. */
new Elysia().get("/health", () => ({ status: "ok" })).listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" });
