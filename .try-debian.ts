import { readFileSync } from 'node:fs'
import { createDebian } from '@/lib/service/machines/debian/machine'
import { createConnections } from '@/lib/service/ssh/connections'
import { installJob } from '@/lib/service/machines/debian/steps/steps'
import { writeFileSync } from 'node:fs'
writeFileSync('/tmp/gh-job.bash', installJob)
const a = { host: '198.51.100.100', port: 22 }
const key = readFileSync('/var/tmp/gatehouse-lab-debian/keys/id_ed25519', 'utf8')
let t = performance.now(); const lap = (n: string) => { console.log(n, Math.round((performance.now() - t)*10)/10); t = performance.now() }
const connections = createConnections()
const debian = createDebian({ connections })
const { hostKey, privateKey } = await debian.admit({ ...a, user: 'root', pass: key }); lap('admit')
writeFileSync('/var/tmp/gatehouse-lab-debian/reach.json', JSON.stringify({ id: 'm', ...a, user: 'root', hostKey, privateKey }))
const m = debian.machine({ id: 'm', ...a, user: 'root', hostKey, privateKey })
console.log(await m.summary()); lap('summary')
await m.summary(); lap('summary')
console.log(await m.install.start()); lap('start')
for await (const l of m.install.follow(0, new AbortController().signal)) console.log(l.line, l.step, l.progress, l.status, l.message)
lap('install')
await m.summary(); lap('summary')
console.log(await m.summary()); lap('summary')
await connections.close()
