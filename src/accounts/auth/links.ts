/** The pages that mails link to. Each shows a form with a button, so that a mail scanner's visit consumes nothing. */
export const pagePaths = { confirm: "/confirm", reset: "/reset-password", invite: "/sign-up" } as const;

/** Returns the link that confirms an e-mail address. */
export const confirmLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.confirm}?token=${token}`;
/** Returns the link for choosing a new password. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.reset}?token=${token}`;
/** Returns the link for accepting an invitation. */
export const inviteLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.invite}?invite=${token}`;
