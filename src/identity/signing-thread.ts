import { createPrivateKey, type KeyObject } from "node:crypto";
import { compactJws } from "./jws.ts";
import { type ToThread, textsOf, toText } from "./signing-messages.ts";

/** A thread that signs: told a key, it answers each list of payloads with the list of their tokens, in order. */

declare const self: Worker;

let held: { readonly header: string; readonly key: KeyObject } | undefined;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (typeof data !== "string") {
    held = { header: data.header, key: createPrivateKey({ key: data.jwk, format: "jwk" }) };
    return;
  }
  const { header, key } = held ?? {};
  if (header !== undefined && key)
    postMessage(toText(textsOf(data).map((payload) => compactJws(header, payload, key))));
};
