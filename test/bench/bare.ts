import { Elysia } from "elysia";

/** A minimal compiled Elysia program, to compare the product's startup and idle memory with. */
new Elysia().get("/health", () => ({ status: "ok" })).listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" });
