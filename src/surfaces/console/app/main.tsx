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

// The library that locks scrolling behind a dialog adds its own <style> element and takes the nonce from here.
setNonce(styleNonce);

const SignInDialog = lazy(() => import("./shell/sign-in-dialog.tsx"));
const Toasts = lazy(() => import("./shell/toasts.tsx"));

/** The sign-in dialog, loaded only when it is needed, which is rare. */
function SessionEnd() {
  const reason = useSignInReason();
  return reason !== null && <SignInDialog reason={reason} />;
}

/** Toasts, loaded with the first message. */
const ToastsWhenNeeded = () => useHasToasts() && <Toasts />;

// The catalogue's `try_url` names the page to open after a `#`.
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

/** Renders the console in a transition, which React splits up, so that a click or key press is handled in between. */
function start(): void {
  const place = document.getElementById("console");
  if (place) startTransition(() => createRoot(place).render(<Console />));
}

// Until both are loaded, the frame in the server's HTML stays: anything rendered earlier would be rendered again.
void Promise.race([Promise.all([readAhead(), loadAhead()]), signInIsAsked()]).then(start);
