/** The name under which the effects and snapshots of studies are stored. */
export const validationMachineName = "validation";
