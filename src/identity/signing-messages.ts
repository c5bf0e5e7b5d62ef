import type { JWK } from "jose";

/** What a signing thread is started with; then come payloads. */
export interface SigningOrder {
  /** The JOSE header, in base64url. */
  readonly header: string;
  readonly jwk: JWK;
}

/** Texts as one message, which is copied faster than a list. JSON as it is written here has no line ends in it. */
export const toText = (texts: readonly string[]): string => texts.join("\n");
export const textsOf = (message: string): string[] => message.split("\n");
