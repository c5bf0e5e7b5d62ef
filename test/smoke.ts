import { openStore } from "../db/connection.ts"; import { migrate } from "../db/migrate.ts"; import { createApp } from "../src/app.ts"; import { systemClock } from "../src/platform/clock.ts"; import { createLog } from "../src/platform/log.ts";
import { benchNoop, benchEntitlement } from "../src/capabilities/bench-noop/manifest.ts"; import { mintApiKey } from "../src/identity/api-key.ts"; import { grant } from "../src/credits/ledger.ts"; import { newId } from "../src/platform/ids.ts"; import * as firms from "../db/firms.ts"; import { insertApiKey } from "../db/api-keys.ts"; import { setGate, grantEntitlement } from "../db/entitlements.ts";
import { rmSync, writeFileSync } from "node:fs";
const file = process.env.DB ?? "/tmp/t/d/a.db"; for (const s of ["","-wal","-shm"]) rmSync(file+s,{force:true});
const store = openStore(file); console.log(await migrate(store));
const now=Date.now(); const keys: string[]=[];
await store.write(async tx => { for (let i=0;i<64;i++) { const f=newId(),u=newId(),w=newId(); await firms.insertFirm(tx,{id:f,name:"F"+i,slug:"f"+i,created_at:now}); await firms.insertUser(tx,{id:u,email:`a${i}@b.c`,full_name:null,locale:"en",country:null,password_hash:null,email_confirmed_at:null,last_sign_in_at:null,created_at:now,updated_at:now}); await firms.insertMember(tx,{firm_id:f,user_id:u,role:"owner",created_at:now}); await firms.insertWorkspace(tx,{id:w,firm_id:f,name:"W",slug:"w",created_at:now}); const k=mintApiKey(); keys.push(k.secret); await insertApiKey(tx,{id:newId(),firm_id:f,workspace_id:w,user_id:u,name:"k",prefix:k.prefix,hash:k.hash,scopes_json:JSON.stringify(["capabilities:run","runs:read","account:read"]),created_at:now,expires_at:null,last_used_at:null,revoked_at:null}); await grant(tx,"grant",{firm_id:f,credits:1e12,reason:"x",at:now}); await grantEntitlement(tx,f,benchEntitlement,now); } for (const n of ["platform","bench-noop"]) await setGate(tx,{name:n,open:1,changed_at:now,changed_by:"x"}); });
const app = await createApp({ store, clock: systemClock, log: createLog("info"), masterKey: new Uint8Array(32), baseUrl: "http://127.0.0.1:8787", bodyLimit: 1048576, capabilities:[benchNoop], useCases:[], stepEngines:{} });
writeFileSync("/tmp/t/keys.txt", keys.join("\n")+"\n");
if (process.env.PORT) { Bun.serve({ port: +process.env.PORT, hostname: "127.0.0.1", fetch: app.fetch as never }); console.log("up"); }
else {
const h={authorization:`Bearer ${keys[0]}`,"content-type":"application/json","idempotency-key":"abcdefgh1"};
const post=(b: unknown,hh: Record<string,string>=h,slug="bench-noop")=>app.fetch(new Request(`http://localhost:1234/v1/capabilities/${slug}/runs`,{method:"POST",headers:hh,body:JSON.stringify(b)}));
const show=async(r: Response)=>console.log(r.status, JSON.stringify([...r.headers]), await r.text());
const r=await post({input:{payload:"x"}}); const j=await r.clone().json() as {id:string}; await show(r);
await show(await post({input:{payload:"x"}})); await show(await post({input:{payload:"y"}}));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs/${j.id}`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs/${j.id}/receipt`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/credits`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs?limit=1`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs?limit=0x10`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs/xyz`,{headers:h})));
await show(await post({input:{payload:""}, foo: 1})); await show(await post({input:{payload:""}}));
await show(await post({input:{}}, {...h, authorization:"Bearer x"})); await show(await post({}, {...h, "content-type":"text/plain"}));
await show(await app.fetch(new Request(`http://localhost:1234/v1/usage/summary?days=2`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/capabilities`,{method:"PUT"})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/capabilities`,{method:"HEAD"})));
await show(await app.fetch(new Request(`http://localhost:1234/v1/runs/%zz`,{headers:h})));
await show(await app.fetch(new Request(`http://localhost:1234/ready`)));
await app.stop(100); await store.close();
}
