import { createPrivateKey } from "node:crypto";
import { compactJws } from "./jws.ts";
import { type SigningOrder, textsOf, toText } from "./signing-messages.ts";

/** A thread that signs. Its first message is a key; then it answers each list of payloads with their tokens, in order. */

declare const self: Worker;

self.onmessage = ({ data: { header, jwk } }: MessageEvent<SigningOrder>) => {
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  self.onmessage = ({ data }: MessageEvent<string>) =>
    postMessage(toText(textsOf(data).map((payload) => compactJws(header, payload, key))));
};
