import { SMTPServer } from "smtp-server";
import { until } from "./harness.ts";

/** A received message with decoded parts. */
export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** Decodes quoted-printable or base64 text. */
function decode(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Decodes the encoded words of a header (RFC 2047). */
const words = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b" ? decode(text, "base64") : decode(text.replaceAll("_", " "), "quoted-printable"),
    );

function split(raw: string): { headers: Record<string, string>; body: string } {
  const at = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(pairs), body: raw.slice(at + 4) };
}

function parse(raw: string, from: string, to: string[]): Arrived {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "none";
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, "")));
  const part = (type: string): string => {
    const found = parts.find((one) => one.headers["content-type"]?.startsWith(type));
    return found ? decode(found.body, found.headers["content-transfer-encoding"]) : "";
  };
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, words(value)]));
  return { from, to, headers: shown, text: part("text/plain"), html: part("text/html") };
}

/** A real SMTP server on loopback, which keeps its messages and can be set to refuse them. */
export class PostOffice implements AsyncDisposable {
  readonly arrived: Arrived[] = [];
  /** Whether to refuse every message with a temporary error. */
  isClosed = false;

  private constructor(
    private readonly server: SMTPServer,
    readonly url: string,
  ) {}

  static async open(): Promise<PostOffice> {
    let office: PostOffice | undefined;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
        stream.on("end", () => {
          if (!office || office.isClosed) return callback(Object.assign(new Error("closed"), { responseCode: 451 }));
          const { mailFrom, rcptTo } = session.envelope;
          const raw = Buffer.concat(chunks).toString("utf8");
          office.arrived.push(
            parse(
              raw,
              mailFrom ? mailFrom.address : "",
              rcptTo.map(({ address }) => address),
            ),
          );
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    office = new PostOffice(server, `smtp://127.0.0.1:${port}`);
    return office;
  }

  /** Returns the newest message to an address, once at least `count` have arrived. */
  async mailTo(email: string, count = 1): Promise<Arrived> {
    const all = () => this.arrived.filter(({ to }) => to.includes(email));
    await until(() => all().length >= count, `${count} messages to ${email}`);
    return all().at(-1) as Arrived;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }
}
