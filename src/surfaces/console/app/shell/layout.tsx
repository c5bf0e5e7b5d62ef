import { Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { Loading } from "../shared/states.tsx";
import { FaultBoundary } from "./faults.tsx";
import { Navigation } from "./navigation.tsx";
import { Profile } from "./profile.tsx";
import { useIsUnderWay } from "./under-way.ts";
import { useShellWords } from "./words.ts";
import { WorkspaceSwitch } from "./workspace-switch.tsx";

function Brand() {
  return (
    <Link to="/" className="brand">
      <svg viewBox="0 0 32 32" width={22} height={22} aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#14532d" />
        <path
          d="M9 24 16 8l7 16M11.6 18.4h8.8"
          fill="none"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Assay
    </Link>
  );
}

/** Moves the focus to a newly opened page, for keyboards and screen readers, except to the first one. */
function useFocusOnNewPage() {
  const main = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}

/** The frame around every page: the navigation at the left (on a phone behind a button), and the page. */
export function Layout() {
  const say = useShellWords();
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useFocusOnNewPage();
  const { pathname } = useLocation();
  const isUnderWay = useIsUnderWay();
  return (
    <>
      {isUnderWay && <div className="under-way" />}
      <a className="skip" href="#main">
        {say("skip")}
      </a>
      <header className="top">
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={say("open_navigation")} aria-expanded={isOpen} />
        <Brand />
      </header>
      <nav className="navigation" data-closed={!isOpen || undefined} aria-label={say("navigation")}>
        <div className="navigation-head">
          <Brand />
          <Burger
            opened={isOpen}
            onClick={close}
            size="sm"
            className="narrow"
            aria-label={say("open_navigation")}
            aria-expanded={isOpen}
          />
        </div>
        <section aria-label={say("workspace")}>
          <WorkspaceSwitch />
        </section>
        <Navigation onLeave={close} />
        <Profile />
      </nav>
      <main className="main" id="main" tabIndex={-1} ref={main}>
        <FaultBoundary at={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </FaultBoundary>
      </main>
    </>
  );
}
