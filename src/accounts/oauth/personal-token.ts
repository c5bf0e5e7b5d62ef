import { secretForm } from "../../identity/secret-form.ts";

/**
 * `mintPersonalToken` creates a personal connection's token; `personalTokenHash` returns the hash to look one up by.
 */
export const { mint: mintPersonalToken, hashOf: personalTokenHash } = secretForm("assay_pc");
