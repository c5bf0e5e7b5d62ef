import { secretForm } from "../../identity/secret-form.ts";

/** A new token for the address of a personal connection, and the hash to look one up by: undefined for what can't be one. */
export const { mint: mintPersonalToken, hashOf: personalTokenHash } = secretForm("assay_pc");
