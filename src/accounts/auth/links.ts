/** The pages that mail leads to. Each shows a form and asks for a press of its button: a mail scanner's visit uses nothing up. */
export const pagePaths = { confirm: "/confirm", reset: "/reset-password", invite: "/sign-up" } as const;

/** Where an e-mail address is confirmed. */
export const confirmLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.confirm}?token=${token}`;
/** Where a new password is chosen. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.reset}?token=${token}`;
/** Where an invitation is accepted. */
export const inviteLink = (baseUrl: string, token: string): string => `${baseUrl}${pagePaths.invite}?invite=${token}`;
