/** The sender of mail where the operator has set none: an address of the public host, which need not have a mailbox. */
export const usualSender = (baseUrl: string): string => `Assay <no-reply@${new URL(baseUrl).hostname}>`;
