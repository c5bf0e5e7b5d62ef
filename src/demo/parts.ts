/** What the demo's world is made by. */
export { prepareCorpus } from "./corpus.ts";
export { prepareHistory } from "./history.ts";
export { prepareJobs } from "./jobs.ts";
export { createWorld } from "./world.ts";
