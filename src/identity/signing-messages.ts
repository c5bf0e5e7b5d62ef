import type { JWK } from "jose";

/** What is signed with from now on; else payloads. */
export type ToThread = SigningOrder | string;

export interface SigningOrder {
  /** The JOSE header, in base64url. */
  readonly header: string;
  readonly jwk: JWK;
}

/** Texts as one message, which is copied faster than a list. JSON as it is written here has no line ends in it. */
export const toText = (texts: readonly string[]): string => texts.join("\n");
export const textsOf = (message: string): string[] => message.split("\n");
