import type { Span } from "./clauses.ts";
import type { Worded } from "./subject.ts";
import { type Channel, channels } from "./vocabulary.ts";
import { findIn, matchAt } from "./words.ts";

/** Number of words before a channel word in which its preposition is looked for, as in `in our mobile app`. */
const near = 4;

/** Returns a span's first channel, and whether a word such as `in`, `through` or `by` leads to it. */
function firstIn({ tokens, structure }: Worded, { from, to }: Span) {
  const found = channels.flatMap((channel) => {
    const list: readonly string[] = structure.ways[channel];
    const at = findIn(tokens, list, from, to);
    return at < 0 ? [] : [{ channel, at, words: matchAt(tokens, at, list) }];
  });
  const [first] = found.sort((a, b) => a.at - b.at || b.words - a.words);
  if (!first) return null;
  const isLed = findIn(tokens, structure.waylead, Math.max(from, first.at - near), first.at) >= 0;
  return { channel: first.channel, isLed };
}

/** Returns the channel named in the spans, which are in order of preference; `null` if none is. */
export function channelIn(reading: Worded, spans: readonly Span[]): Channel | null {
  const found = spans.map((span) => firstIn(reading, span)).filter((one) => one !== null);
  return (found.find(({ isLed }) => isLed) ?? found[0])?.channel ?? null;
}
