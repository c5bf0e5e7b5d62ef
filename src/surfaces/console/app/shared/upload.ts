/** Parses the response headers of an `XMLHttpRequest`, which are lines of text. */
function headersOf(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}

/**
 * Returns a function like `fetch` that sends a request with a file as its body and reports progress, which `fetch`
 * can't. `told` receives the share sent, from 0 to 1; it restarts when the request is repeated.
 */
export function uploading(file: File, told: (share: number) => void): (request: Request) => Promise<Response> {
  return (request) =>
    new Promise((resolve, reject) => {
      const upload = new XMLHttpRequest();
      upload.open(request.method, request.url);
      upload.responseType = "arraybuffer";
      for (const [name, value] of request.headers) upload.setRequestHeader(name, value);
      upload.upload.addEventListener("progress", ({ loaded, total }) => told(total === 0 ? 1 : loaded / total));
      upload.addEventListener("load", () => {
        const { status, statusText, response } = upload;
        resolve(new Response(response, { status, statusText, headers: headersOf(upload.getAllResponseHeaders()) }));
      });
      upload.addEventListener("error", () => reject(new TypeError("the upload did not arrive")));
      told(0);
      upload.send(file);
    });
}
