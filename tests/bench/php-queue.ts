/** Requests that wait for PHP of a site on a real host: whether they are answered, and whether the visitors of other sites notice. */
import { setTimeout as pause } from 'node:timers/promises'
import { install } from '../hosts/install-run'
import { type AdmittedHost, startAdmitted } from '../hosts/reach'
import { headOf } from '../hosts/sites/php-page'
import { creation, endOf, siteNamed, upload } from '../hosts/sites/site-job'
import { median, quantile } from './figure'
import type { Section } from './report'

const slowSeconds = 2.5
const [few, many] = [40, 400]
/** Turns with and without the callers, of that many seconds, so that both see the same machine. */
const [turns, turnSeconds] = [3, 15]

const busy = siteNamed('busybench1a2b', 'busy.test')
const other = siteNamed('otherbench3c4d', 'other.test')

export async function measurePhpQueue(): Promise<Section> {
  await using admitted = await startAdmitted({ kind: 'root-key' })
  const installed = (await install(admitted)).at(-1)
  if (installed?.status !== 'done') throw new Error(`The install failed: ${installed?.error}`)
  for (const site of [busy, other]) {
    const end = await endOf(admitted.machine, creation(site))
    if (end?.status !== 'done') throw new Error(`${site.domain} was not created: ${end?.error}`)
  }
  await upload(admitted.host, busy, 'slow.php', `<?php usleep(${slowSeconds * 1_000_000}); echo 'slept';`)
  await upload(admitted.host, other, 'page.php', `<?php echo 'a page';`)
  const { workers, waiting } = (await admitted.machine.sites.facts([busy])).get(busy.name)?.settings ?? {}
  const memory = Number((await admitted.host.run(`sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo`)).stdout) / 1024 / 1024
  const burst = await Promise.all(Array.from({ length: few }, () => timeVisit(admitted, busy.domain, '/slow.php')))
  const [alone, beside]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    alone.push(quantile(await watchOther(admitted), 0.95))
    const callers = startCallers(admitted)
    beside.push(quantile(await watchOther(admitted), 0.95))
    await callers.end()
  }
  return {
    title: 'Requests that wait for PHP',
    how: `A server with ${memory.toFixed(0)} GB of memory: ${workers} workers for each site, and ${waiting} requests that wait in each of two processes. One site has a page of ${slowSeconds} s; the visitor of another one asks 20 times a second for a short page, in ${turns} turns of ${turnSeconds} s alone and as many beside ${many} callers of the first, who come again when they are told to.`,
    figures: [
      {
        what: `${few} callers at once, refused`,
        value: burst.filter(({ status }) => status !== '200').length,
        unit: '',
        target: 0,
        floor: 0,
      },
      { what: `${few} callers at once, the last one is answered after`, value: Math.max(...burst.map(({ ms }) => ms)), unit: 'ms' },
      { what: 'the other site alone, p95', value: median(alone), unit: 'ms' },
      { what: `the other site beside ${many} callers, p95`, value: median(beside), unit: 'ms' },
      { what: 'beside them against alone', value: median(beside) / median(alone), unit: 'times', target: 1.3, floor: 1.3 },
    ],
  }
}

async function timeVisit({ host }: AdmittedHost, domain: string, path: string) {
  const begun = performance.now()
  const { status, retryAfter } = await headOf(host, domain, path)
  return { status, retryAfter, ms: performance.now() - begun }
}

/** How long each answer of the other site took, in ms. */
async function watchOther(admitted: AdmittedHost): Promise<number[]> {
  const until = performance.now() + turnSeconds * 1000
  const took: number[] = []
  while (performance.now() < until) {
    const { status, ms } = await timeVisit(admitted, other.domain, '/page.php')
    if (status !== '200') throw new Error(`The other site answered ${status}.`)
    took.push(ms)
    await pause(50)
  }
  return took
}

/** Each asks for the slow page again as soon as it has it, and after the time that it was told when it is refused. */
function startCallers(admitted: AdmittedHost) {
  const ending = new AbortController()
  const call = async () => {
    while (!ending.signal.aborted) {
      const { status, retryAfter } = await timeVisit(admitted, busy.domain, '/slow.php')
      if (status === '503') await pause(Number(retryAfter) * 1000, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  const all = Array.from({ length: many }, call)
  return {
    async end() {
      ending.abort()
      await Promise.all(all)
    },
  }
}
