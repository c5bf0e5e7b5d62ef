import "./shell/mantine.css";
import "./shell/frame.css";
import "./shell/console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { installedAt, styleNonce } from "./shared/browser.ts";
import { queryClient, readAhead } from "./shared/session.ts";
import { useSignInReason } from "./shared/session-gate.ts";
import { useHasToasts } from "./shared/toast.ts";
import { Boot } from "./shell/boot.tsx";
import { FaultBoundary } from "./shell/faults.tsx";
import { loadAhead, Pages } from "./shell/routes.tsx";
import { cssVariables, theme } from "./shell/theme.ts";

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

// Both are on their way while React begins.
void readAhead();
loadAhead();

const place = document.getElementById("console");
if (place)
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
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
    </StrictMode>,
  );
