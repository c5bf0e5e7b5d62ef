import "./shell/mantine.css";
import "./shell/frame.css";
import "./shell/console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { lazy, StrictMode, Suspense, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { installedAt, styleNonce } from "./shared/browser.ts";
import { checkSession, queryClient, readAhead } from "./shared/session.ts";
import { signInIsAsked, useSignInReason } from "./shared/session-gate.ts";
import { onMaybeAnother } from "./shared/shown-to.ts";
import { useHasToasts } from "./shared/toast.ts";
import { Boot } from "./shell/boot.tsx";
import { FaultBoundary } from "./shell/faults.tsx";
import { loadAhead, Pages } from "./shell/routes.tsx";
import { theme } from "./shell/theme.ts";

// What locks the scroll below a dialog writes a style of its own, and asks here for the nonce.
setNonce(styleNonce);

const SignInDialog = lazy(() => import("./shell/sign-in-dialog.tsx"));
const Toasts = lazy(() => import("./shell/toasts.tsx"));

/** The dialog is fetched when somebody has to sign in again, which is seldom. */
function SessionEnd() {
  const reason = useSignInReason();
  return reason !== null && <SignInDialog reason={reason} />;
}

/** Fetched when there is something to say. */
const ToastsWhenNeeded = () => useHasToasts() && <Toasts />;

// The catalogue's `try_url` says what to open behind a `#`.
if (location.hash.startsWith("#/")) history.replaceState(null, "", `${installedAt}/console${location.hash.slice(1)}`);

function Console() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        withCssVariables={false}
        withGlobalClasses={false}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <Suspense>
            <ToastsWhenNeeded />
            <SessionEnd />
          </Suspense>
          <FaultBoundary at="">
            <Suspense fallback={<Boot />}>
              <Pages />
            </Suspense>
          </FaultBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}

onMaybeAnother(() => void checkSession());

/** As a transition, which React does in short pieces: a click or a key need not wait until all of it is there. */
function start(): void {
  const place = document.getElementById("console");
  if (place) startTransition(() => createRoot(place).render(<Console />));
}

// Until both are there the server's own frame shows: what is rendered before is thrown away and rendered again.
void Promise.race([Promise.all([readAhead(), loadAhead()]), signInIsAsked()]).then(start);
