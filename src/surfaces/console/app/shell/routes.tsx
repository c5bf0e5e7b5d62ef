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

/** A page, or a message for people who may not open it. */
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

/** Maximum time to wait for data, in milliseconds, before the page is rendered without it. */
const patienceMs = 600;
const base = `${installedAt}/console`;

/**
 * A page that can't be loaded is reported as an unreachable server: the network is down, or another release is being
 * served.
 */
const unreached = (cause: unknown): never => {
  throw new ApiError(0, "unreachable", String(cause), [], null);
};

const contents = new Map<PageEntry, ComponentType>(
  pages.map((entry) => [entry, lazy(() => underWay(entry.load()).catch(unreached))]),
);

/**
 * Loads the code and data of the current page before the first render, so that it renders once and completely. If the
 * server is slow, the page is rendered without the missing data.
 */
export async function loadAhead(): Promise<void> {
  const opened = pages.find(({ path }) => matchPath(`${base}/${path}`, location.pathname));
  // A failure shows when the page is rendered.
  const program = await opened?.load().catch(() => undefined);
  if (!opened || !program) return;
  contents.set(opened, program.default);
  const reads = program.readAhead?.(queryClient, new URLSearchParams(location.search)) ?? [];
  await Promise.race([Promise.all(reads), after(patienceMs)]);
}

/** All pages in their frame. Each page's code is loaded when it is first opened. */
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
