import http from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type AccountClaims } from "oidc-provider";
import { present } from "../../src/platform/assert.ts";

/** The person whom the provider signs in next, and the claims it returns. */
export interface Someone {
  readonly id: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export const client = { client_id: "assay", client_secret: "a-secret-between-the-two" };

/** A real OpenID provider on a loopback port. It signs everyone in as `next` without a prompt. */
export class IdentityProvider implements AsyncDisposable {
  next: Someone = { id: "ann", email: "ann@idp.test", email_verified: true, name: "Ann Other" };
  /** Time of the login at the provider, in Unix seconds; `undefined` means now. */
  loggedInAt: number | undefined;

  private constructor(
    readonly issuer: string,
    private readonly server: http.Server,
  ) {}

  static async start(callback: string): Promise<IdentityProvider> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const made = new IdentityProvider(issuer, server);
    const provider = made.provider(callback);
    const answer = provider.callback();
    server.on("request", (request, response) => {
      const isInteraction = request.url?.startsWith("/interaction/");
      void (isInteraction ? made.agree(provider, request, response) : answer(request, response));
    });
    return made;
  }

  private provider(callback: string): Provider {
    return new Provider(this.issuer, {
      clients: [{ ...client, redirect_uris: [callback], token_endpoint_auth_method: "client_secret_basic" }],
      cookies: { keys: ["only for tests"] },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      findAccount: (_, accountId) => {
        const { id, ...claims } = this.next;
        return { accountId, claims: (): AccountClaims => ({ sub: accountId, ...claims }) };
      },
    });
  }

  private async agree(provider: Provider, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { prompt, session, params } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      const login = { accountId: this.next.id, ...(this.loggedInAt !== undefined && { ts: this.loggedInAt }) };
      return provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
    }
    const accountId = present(session, "who signed in").accountId;
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }

  /** Follows the provider's redirects as a browser does, until it is sent back to the product. Returns that URL. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    while (next.startsWith(this.issuer)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(next, { redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
