import { QueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, api, bodyOf, type Schemas } from "./api.ts";
import { installedAt, keep, kept } from "./browser.ts";
import { isShownTo } from "./shown-to.ts";
import { createSignal } from "./signal.ts";

/**
 * Whether a retry may help. A refused request would be refused again; one that did not arrive or failed on the server
 * is retried twice.
 */
const isPassing = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** The query cache shared by all pages. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Reports an unreachable server at once; by default, queries would pause until the browser is online.
    queries: { networkMode: "always", retry: (count, error) => count < 2 && isPassing(error), staleTime: 10_000 },
    mutations: { networkMode: "always", retry: false },
  },
});

/** The signed-in person. */
export interface Me {
  readonly user: Schemas["User"];
  readonly workspaces: readonly Schemas["Workspace"][];
  readonly role: Schemas["Workspace"]["role"];
  /** The scopes that the person's role and the firm's entitlements allow. */
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

/** Loads the signed-in person, before anything is rendered. */
export const readAhead = (): Promise<void> => queryClient.prefetchQuery(meQuery);

/**
 * Checks only whether the session still belongs to the person this page was shown to. If not, the sign-in dialog says
 * so.
 */
export async function checkSession(): Promise<void> {
  const queryFn = () => bodyOf(api.GET("/auth/v1/user"));
  await queryClient.prefetchQuery({ queryKey: ["session"], queryFn, staleTime: 0 });
}

/** Prefetches a page's data as soon as its code is loaded, before it is rendered. */
export type ReadAhead = (client: QueryClient, search: URLSearchParams) => readonly Promise<void>[];

/** Returns the signed-in person, loaded before the first page is rendered. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

const { subscribe, publish } = createSignal();

/**
 * Returns the workspace in which runs are started, and a function to choose another; undefined if the person has none.
 */
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

/** Signs in by password, as the sign-in page does. Throws `ApiError`. */
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

/** Signs this browser out and opens the sign-in page. Throws `ApiError`. */
export async function signOut(): Promise<void> {
  const response = await fetch(`${installedAt}/session`, { method: "DELETE" }).catch(() => undefined);
  if (!response?.ok) throw new ApiError(response?.status ?? 0, response ? "unexpected" : "unreachable", "", [], null);
  keep("drafts", null, "tab");
  location.assign(`${installedAt}/sign-in`);
}
