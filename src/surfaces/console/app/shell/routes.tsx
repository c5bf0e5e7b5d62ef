import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { BrowserRouter, matchPath, Route, Routes } from "react-router";
import { type PageEntry, pages } from "../pages/registry.ts";
import { ApiError } from "../shared/api.ts";
import { after, installedAt } from "../shared/browser.ts";
import { queryClient, useMe } from "../shared/session.ts";
import { Loading, NoPermission, NotFound } from "../shared/states.tsx";
import { useLanguage } from "../shared/words.ts";
import { Layout } from "./layout.tsx";
import { mayOpen } from "./navigation.tsx";
import { underWay } from "./under-way.ts";

interface GuardedProps {
  readonly entry: PageEntry;
  readonly Content: ComponentType;
}

/** A page for those who may open it; the others are told that they may not. */
function Guarded({ entry, Content }: GuardedProps) {
  const { language } = useLanguage();
  const title = entry.title[language];
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  if (!mayOpen(entry, useMe())) return <NoPermission isPage isOperators={entry.isOperators === true} />;
  return (
    <Suspense fallback={<Loading />}>
      <Content />
    </Suspense>
  );
}

/** What is waited for with an empty frame before the page shows with its own. */
const patienceMs = 600;
const base = `${installedAt}/console`;

/** What can't be fetched is no fault of the page: the network is down, or another release is served by now. */
const unreached = (cause: unknown): never => {
  throw new ApiError(0, "unreachable", String(cause), [], null);
};

const contents = new Map<PageEntry, ComponentType>(
  pages.map((entry) => [entry, lazy(() => underWay(entry.load()).catch(unreached))]),
);

/**
 * Fetches the page of this address and what it shows, before anything is rendered, so that it is rendered once, and
 * whole. Of a server that takes its time, the page shows without what it waits for.
 */
export async function loadAhead(): Promise<void> {
  const opened = pages.find(({ path }) => matchPath(`${base}/${path}`, location.pathname));
  // Whether it fails is seen where it is shown.
  const program = await opened?.load().catch(() => undefined);
  if (!opened || !program) return;
  contents.set(opened, program.default);
  const reads = program.readAhead?.(queryClient, new URLSearchParams(location.search)) ?? [];
  await Promise.race([Promise.all(reads), after(patienceMs)]);
}

/** Every page below the frame around them; each one's program is fetched when it is first opened. */
export const Pages = () => (
  <BrowserRouter basename={base}>
    <Routes>
      <Route element={<Layout />}>
        {[...contents].map(([entry, Content]) => (
          <Route key={entry.path} path={entry.path} element={<Guarded entry={entry} Content={Content} />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  </BrowserRouter>
);
