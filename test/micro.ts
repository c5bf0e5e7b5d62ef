import { Elysia } from "elysia"; import { createApp } from "../src/app.ts"; import { openStore } from "../db/connection.ts"; import { migrate } from "../db/migrate.ts"; import { systemClock } from "../src/platform/clock.ts"; import { createLog } from "../src/platform/log.ts"; import { rmSync } from "node:fs";
for (const s of ["","-wal","-shm"]) rmSync("/tmp/t/d/m.db"+s,{force:true});
const store=openStore("/tmp/t/d/m.db"); await migrate(store);
const app = await createApp({ store, clock: systemClock, log: createLog("info"), masterKey: new Uint8Array(32), baseUrl: "http://127.0.0.1:8787", bodyLimit: 1048576, capabilities:[], useCases:[], stepEngines:{} });
const bare = new Elysia().get("/health",()=>new Response("ok"));
async function time(name: string, f: (r: Request)=>unknown, url: string) { for (let k=0;k<2;k++){ const rs=Array.from({length:20000},()=>new Request(url,{headers:{authorization:"Bearer x"}})); const t=performance.now(); for (const r of rs) await f(r); if(k) console.log(name, ((performance.now()-t)/20000*1000).toFixed(2),"us"); } }
await time("bare", r=>bare.fetch(r), "http://localhost:1234/health");
await time("edge health", r=>app.fetch(r), "http://localhost:1234/health");
await time("edge runs bad key", r=>app.fetch(r), "http://localhost:1234/v1/runs/01a1fc82-b841-74fa-9376-bb535b72be84");
process.exit(0);
