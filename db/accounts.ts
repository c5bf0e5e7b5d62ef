/**
 * The ledger's accounts: `firm:<id>/available`, `firm:<id>/reserved`, `platform`, `provider:<name>`, and `issued`,
 * which granted credits are taken from and which alone has no balance.
 */
export const firmAccount = (firm_id: string): string => `firm:${firm_id}`;
export const available = (firm_id: string): string => `${firmAccount(firm_id)}/available`;
export const reserved = (firm_id: string): string => `${firmAccount(firm_id)}/reserved`;
export const platformAccount = "platform";
export const issuedAccount = "issued";
export const providerAccount = (provider: string): string => `provider:${provider}`;
/** Returns the provider whose account it is, or `null` if it is not a provider's. */
export const providerOf = (account: string): string | null =>
  account.startsWith(providerAccount("")) ? account.slice(providerAccount("").length) : null;

/**
 * Returns the balance row of an account and which of its two figures applies, or `null` if the account has no balance.
 */
export function balanceOfAccount(account: string): { row: string; figure: "available" | "reserved" } | null {
  if (account === issuedAccount) return null;
  if (!account.startsWith("firm:")) return { row: account, figure: "available" };
  const slash = account.lastIndexOf("/");
  return { row: account.slice(0, slash), figure: account.endsWith("/reserved") ? "reserved" : "available" };
}
