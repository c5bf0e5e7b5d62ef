import { askAhead } from "./shared/asked-ahead.ts";
import { installedAt } from "./shared/browser.ts";

// The page's first script, kept small: it requests what the page reads first while the other scripts still load.
// `test/browser/console.test.ts` checks that each of these responses is used.

const everywhere = ["/auth/v1/user", "/v1/developer/workspaces", "/v1/developer/scopes"];
const catalogue = ["/v1/capabilities", "/v1/use-cases"];

const byPage: Readonly<Record<string, readonly string[]>> = {
  "": [
    "/v1/runs?limit=8&status=awaiting_approval",
    "/v1/runs?limit=8",
    "/v1/credits?limit=1",
    "/v1/usage/summary?days=1",
    ...catalogue,
  ],
  runs: ["/v1/runs?limit=25", ...catalogue],
  capabilities: catalogue,
};

const page = location.pathname.slice(`${installedAt}/console/`.length).replace(/\/$/, "");
const isPlain = location.search === "" && location.hash === "";
askAhead([...everywhere, ...((isPlain && byPage[page]) || [])]);
