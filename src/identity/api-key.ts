import { secretForm } from "./secret-form.ts";

/** `mintApiKey` creates an API key; `apiKeyHash` returns the hash to look one up by, or undefined if it is malformed. */
export const { mint: mintApiKey, hashOf: apiKeyHash } = secretForm("assay_sk");
