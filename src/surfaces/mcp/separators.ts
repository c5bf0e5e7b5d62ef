/** Characters that some readers of event streams treat as line ends. In JSON they occur only inside strings. */
const separator = /[\u0085\u2028\u2029]/g;

const escaped = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Escapes those characters in a JSON or event-stream response. The parsed content stays the same. Used by `server.ts`.
 */
export function withoutSeparators(answer: Response): Response {
  if (!answer.body) return answer;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const body = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, out) {
        out.enqueue(encoder.encode(decoder.decode(bytes, { stream: true }).replace(separator, escaped)));
      },
    }),
  );
  return new Response(body, answer);
}
