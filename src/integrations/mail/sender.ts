/** The default sender address, at the public host. It need not have a mailbox. */
export const usualSender = (baseUrl: string): string => `Assay <no-reply@${new URL(baseUrl).hostname}>`;
