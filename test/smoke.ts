import { openStore } from "../db/connection.ts"; import { migrate } from "../db/migrate.ts"; import { createApp } from "../src/app.ts"; import { systemClock } from "../src/platform/clock.ts"; import { createLog } from "../src/platform/log.ts";
import { benchNoop, benchEntitlement } from "../src/capabilities/bench-noop/manifest.ts"; import { mintApiKey } from "../src/identity/api-key.ts"; import { grant } from "../src/credits/ledger.ts"; import { newId } from "../src/platform/ids.ts"; import * as firms from "../db/firms.ts"; import { insertApiKey } from "../db/api-keys.ts"; import { setGate, grantEntitlement } from "../db/entitlements.ts";
import { rmSync, writeFileSync } from "node:fs";
const file = process.env.DB ?? "/tmp/t/d/a.db"; for (const s of ["","-wal","-shm"]) rmSync(file+s,{force:true});
const store = openStore(file); console.log(await migrate(store));
for (const q of (process.env.SQL??"").split(";").filter(Boolean)) store.sqlite.run(q);
const now=Date.now(); const keys: string[]=[];
await store.write(async tx => { for (let i=0;i<64;i++) { const f=newId(),u=newId(),w=newId(); await firms.insertFirm(tx,{id:f,name:"F"+i,slug:"f"+i,created_at:now}); await firms.insertUser(tx,{id:u,email:`a${i}@b.c`,full_name:null,locale:"en",country:null,password_hash:null,email_confirmed_at:null,last_sign_in_at:null,created_at:now,updated_at:now}); await firms.insertMember(tx,{firm_id:f,user_id:u,role:"owner",created_at:now}); await firms.insertWorkspace(tx,{id:w,firm_id:f,name:"W",slug:"w",created_at:now}); const k=mintApiKey(); keys.push(k.secret); await insertApiKey(tx,{id:newId(),firm_id:f,workspace_id:w,user_id:u,name:"k",prefix:k.prefix,hash:k.hash,scopes_json:JSON.stringify(["capabilities:run","runs:read","account:read"]),created_at:now,expires_at:null,last_used_at:null,revoked_at:null}); await grant(tx,"grant",{firm_id:f,credits:1e12,reason:"x",at:now}); await grantEntitlement(tx,f,benchEntitlement,now); } for (const n of ["platform","bench-noop"]) await setGate(tx,{name:n,open:1,changed_at:now,changed_by:"x"}); });
const app = await createApp({ store, clock: systemClock, log: createLog("info"), masterKey: new Uint8Array(32), baseUrl: "http://127.0.0.1:8787", bodyLimit: 1048576, capabilities:[benchNoop], useCases:[], stepEngines:{} });
writeFileSync("/tmp/t/keys.txt", keys.join("\n")+"\n");
if (process.env.MICRO) {
  const hh={authorization:`Bearer ${keys[0]}`,"content-type":"application/json","idempotency-key":"abcdefgh1"};
  const rr=await app.fetch(new Request(`http://localhost:1234/v1/capabilities/bench-noop/runs`,{method:"POST",headers:hh,body:JSON.stringify({input:{payload:"x"}})})); const {id}=await rr.json() as {id:string};
  await new Promise(r=>setTimeout(r,100));
  const time=async(n: string,f: ()=>unknown,N=20000)=>{ for(let k=0;k<3;k++){const t=performance.now(); for(let i=0;i<N;i++) await f(); if(k==2) console.log(n,((performance.now()-t)/N*1000).toFixed(2),"us"); } };
  const url=`http://localhost:1234/v1/runs/${id}`;
  await time("GET run via edge",()=>app.fetch(new Request(url,{headers:hh})));
  await time("GET 401",()=>app.fetch(new Request(url)));
  await time("new Request",()=>new Request(url,{headers:hh}));
  const { runFor } = await import("../src/runs/service.ts"); const { runRecord } = await import("../src/runs/record.ts"); const { Run } = await import("../src/runs/schema.ts"); const { checker } = await import("../src/platform/validate.ts");
  const p=(await app.parts.identity.byApiKey(keys[0]!))!; 
  await time("byApiKey",()=>app.parts.identity.byApiKey(keys[0]!));
  const { apiKeyHash } = await import("../src/identity/api-key.ts"); const { keyByHash } = await import("../db/api-keys.ts"); const hash=apiKeyHash(keys[0]!)!;
  await time("apiKeyHash",()=>apiKeyHash(keys[0]!));
  await time("keyByHash",()=>keyByHash.first(store.read,{hash}));
  const st=store.sqlite.prepare("select k.id,k.firm_id,k.workspace_id,k.user_id,k.scopes_json,k.expires_at,k.revoked_at,k.last_used_at,m.role from api_keys as k inner join members as m on m.user_id=k.user_id and m.firm_id=k.firm_id where k.hash=?");
  await time("raw keyByHash",()=>st.get(hash)); await time("raw values",()=>st.values(hash));
  const st2=store.sqlite.prepare("select seq from watermarks where name=?"); await time("raw watermark",()=>st2.get("x"));
  const st3=store.sqlite.prepare("select * from runs where id=?"); await time("raw run",()=>st3.get(id)); await time("raw run values",()=>st3.values(id));
  const st4=store.sqlite.prepare("pragma data_version"); await time("data_version",()=>st4.get());
  await time("now",()=>Date.now()); await time("sha",()=>new Bun.CryptoHasher("sha256").update(keys[0]!).digest("hex"));
  await time("runFor",()=>runFor(app.parts,p,id)); const row=await runFor(app.parts,p,id);
  await time("runRecord",()=>runRecord(row)); const rec=runRecord(row);
  await time("Check",()=>checker(Run).Check(rec));
  await time("Response.json",()=>Response.json(rec));
  process.exit(0);
} else if (process.env.HEART) {
  const N=+process.env.HEART, C=32; const { capabilityPlan } = await import("../src/runs/plan.ts"); const ps = await Promise.all(keys.map(k=>app.parts.identity.byApiKey(k)));
  if (process.env.SYNC) store.sqlite.run("pragma synchronous="+process.env.SYNC);
  const stats=new Map(); if (process.env.COUNT) { const { Statement } = await import("bun:sqlite"); for (const m of ["run","get","all"] as const) { const o=(Statement.prototype as any)[m]; (Statement.prototype as any)[m]=function(...a: any[]){ const t=performance.now(); const r=o.apply(this,a); const d=performance.now()-t; const k=m+" "+this.toString().slice(0,70); const s=stats.get(k)??[0,0]; s[0]++; s[1]+=d; stats.set(k,s); return r; }; } }
  let n=0; const plan=capabilityPlan(benchNoop,"live"); const t=performance.now(), c=process.cpuUsage();
  await Promise.all(Array.from({length:C},async(_, w)=>{ while(n<N){ const i=n++; const p=ps[w%64]!; await app.parts.acceptance.accept({principal:p,plan,input:{payload:"x"},mode:"live",workspace_id:p.workspace_id!,surface:"rest",idempotency_key:"k"+Math.random(),operation:"capability.run"}); } }));
  while(app.parts.worker.load().active) await new Promise(r=>setImmediate(r));
  const cpu=process.cpuUsage(c); console.log("runs/s",(N/(performance.now()-t)*1000).toFixed(0),"cpu us/run", ((cpu.user+cpu.system)/N).toFixed(1),"user",(cpu.user/N).toFixed(1),"sys",(cpu.system/N).toFixed(1));
  for (const [k,[n,d]] of [...stats].sort((a,b)=>b[1][1]-a[1][1])) console.log((d/N*1000).toFixed(2)+"us/run", (n/N).toFixed(2)+"x", (d/n*1000).toFixed(2)+"us", k);
console.log("wal MB", (require("node:fs").statSync(file+"-wal").size/1e6).toFixed(1), "pages/run", (require("node:fs").statSync(file+"-wal").size/4120/N).toFixed(2));
process.exit(0);
} else if (process.env.PORT) { Bun.serve({ port: +process.env.PORT, hostname: "127.0.0.1", fetch: app.fetch as never }); console.log("up"); process.on("SIGINT",()=>process.exit(0)); }
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
