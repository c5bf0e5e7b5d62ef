import { QueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, api, bodyOf, type Schemas } from "./api.ts";
import { installedAt, keep, kept } from "./browser.ts";
import { isShownTo } from "./shown-to.ts";
import { createSignal } from "./signal.ts";

/** What the server refuses it refuses again; what was never reached, or failed there, is tried twice more. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** What has been read, shared by every page. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // What can't be reached is said at once; by default it would wait in silence until the browser is on a network.
    queries: { networkMode: "always", retry: (count, error) => count < 2 && isPassing(error), staleTime: 10_000 },
    mutations: { networkMode: "always", retry: false },
  },
});

/** Who is signed in. */
export interface Me {
  readonly user: Schemas["User"];
  readonly workspaces: readonly Schemas["Workspace"][];
  readonly role: Schemas["Workspace"]["role"];
  /** What the person's role and the firm's entitlements allow. */
  readonly scopes: ReadonlySet<string>;
}

async function readMe(): Promise<Me> {
  const [user, workspaces, scopes] = await Promise.all([
    bodyOf(api.GET("/auth/v1/user")),
    bodyOf(api.GET("/v1/developer/workspaces")),
    bodyOf(api.GET("/v1/developer/scopes")),
  ]);
  isShownTo({ user_id: user.id, firm_id: workspaces[0]?.firm.id ?? null });
  const held = scopes.filter(({ grantable }) => grantable).map(({ name }) => name);
  return { user, workspaces, role: workspaces[0]?.role ?? "member", scopes: new Set(held) };
}

const meQuery = { queryKey: ["me"], queryFn: readMe, staleTime: 60_000 };

/** Asks who is signed in, for the start: nothing shows before that is known. */
export const readAhead = (): Promise<void> => queryClient.prefetchQuery(meQuery);

/** Asks for nothing but whether the session is still of whom this page is shown to: where it isn't, the dialog says so. */
export async function checkSession(): Promise<void> {
  const queryFn = () => bodyOf(api.GET("/auth/v1/user"));
  await queryClient.prefetchQuery({ queryKey: ["session"], queryFn, staleTime: 0 });
}

/** What a page reads as soon as it is fetched, before it is rendered. */
export type ReadAhead = (client: QueryClient, search: URLSearchParams) => readonly Promise<void>[];

/** Who is signed in; read once before the first page shows. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

const { subscribe, publish } = createSignal();

/** The workspace that runs are started in, and how to choose another; undefined for those who have none. */
export function useWorkspace(): {
  readonly workspace: Schemas["Workspace"] | undefined;
  choose(id: string): void;
} {
  const { workspaces } = useMe();
  const chosen = useSyncExternalStore(subscribe, () => kept("workspace"));
  return {
    workspace: workspaces.find(({ id }) => id === chosen) ?? workspaces[0],
    choose(id) {
      keep("workspace", id);
      publish();
    },
  };
}

/** Signs in by password, as our own sign-in page does. Throws `ApiError`. */
export async function signIn(email: string, password: string): Promise<void> {
  const response = await fetch(`${installedAt}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  }).catch(() => undefined);
  if (response?.ok) return;
  const code = response?.status === 401 ? "invalid_credentials" : response ? "unexpected" : "unreachable";
  throw new ApiError(response?.status ?? 0, response?.status === 429 ? "rate_limit_exceeded" : code, code, [], null);
}

/** Signs this browser out, and leaves for the sign-in page. Throws `ApiError`. */
export async function signOut(): Promise<void> {
  const response = await fetch(`${installedAt}/session`, { method: "DELETE" }).catch(() => undefined);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, response ? "unexpected" : "unreachable", "", [], null);
  keep("drafts", null, "tab");
  location.assign(`${installedAt}/sign-in`);
}
