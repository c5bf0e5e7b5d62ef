/** A load client's connection, which carries one request at a time and stays open. */
export interface Connection {
  /** Sends a request unchanged and resolves with the whole response, with one character per byte. */
  send(request: string): Promise<string>;
  close(): void;
}

export async function connect(port: number): Promise<Connection> {
  let received = "";
  let isOver = false;
  let answer: (text: string) => void = () => undefined;

  function receive(text: string): void {
    received += text;
    const head = received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1];
    if (length === undefined && !received.startsWith("HTTP/1.1 304"))
      throw new Error("a response without Content-Length");
    if (received.length < head + 4 + Number(length ?? 0)) return;
    const whole = received;
    received = "";
    answer(whole);
  }

  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => receive(bytes.toString("latin1")),
      close: () => {
        if (!isOver) throw new Error("the server closed a connection");
      },
    },
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        answer = resolve;
        socket.write(request);
      }),
    close() {
      isOver = true;
      socket.end();
    },
  };
}
