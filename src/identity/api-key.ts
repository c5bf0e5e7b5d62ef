import { secretForm } from "./secret-form.ts";

/** A new API key, and the hash to look one up by: undefined for what can't be one. */
export const { mint: mintApiKey, hashOf: apiKeyHash } = secretForm("assay_sk");
