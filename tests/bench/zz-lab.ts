import { readFileSync, writeFileSync, existsSync, unlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startInstalled } from '../hosts/installed'
import { creation, endOf, siteNamed, visit, upload, runJob } from '../hosts/sites/site-job'
import { addOlderPhp } from '../hosts/sites/older-php'
import { phpPage } from '../hosts/sites/php-page'
const release = process.argv[2] as never
const dir = `/tmp/o/lab-${release}`
const admitted = await startInstalled(release)
const { host, machine } = admitted
const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')
writeFileSync(`${dir}.ready`, host.ip)
const ctx = { host, machine, one, two, creation, endOf, siteNamed, visit, upload, runJob, addOlderPhp, phpPage, delay, admitted }
for (;;) {
  if (existsSync(`${dir}.cmd`)) {
    const code = readFileSync(`${dir}.cmd`, 'utf8'); unlinkSync(`${dir}.cmd`)
    let out = ''
    try {
      const f = new Function('ctx', `return (async () => { const {${Object.keys(ctx).join(',')}} = ctx; ${code} })()`)
      out = JSON.stringify(await f(ctx), null, 1)
    } catch (e) { out = String((e as Error).stack) }
    writeFileSync(`${dir}.out`, String(out).replaceAll('\\n', '\n'))
  }
  await delay(200)
}
