/** The words that schemas and engine share. The command line loads this file, so it must stay small. */

/** The channels to a customer. */
export const channels = ["app", "online", "adviser", "phone", "bank", "shop", "employer", "partner"] as const;
export type Channel = (typeof channels)[number];

/** The parts that a hypothesis should have. */
export const parts = ["who", "problem", "offer", "price", "channel", "proof"] as const;
export type Part = (typeof parts)[number];

/** How a figure is known: read at its source, derived from such figures by a stated method, or not verified yet. */
export const statuses = ["read", "derived", "unverified"] as const;
export type Status = (typeof statuses)[number];
