/** Restores of a site on a real host, against the bare programs that unpack an archive and load its dump. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AdmittedHost } from '../hosts/reach'
import { visit } from '../hosts/sites/site-job'
import { timeMs } from './ansible'
import { type Figure, median } from './figure'
import { bare, type Measured, medianMs, must, type Site, turns } from './measured-site'
import { stepFigures, type TimedJob, timeJob } from './site-steps'

/** sent: what this process has sent to the host so far, in bytes. */
export async function measureRestores(measured: Measured, site: Site, sent: () => number): Promise<Figure[]> {
  const { admitted, service } = measured
  const [jobs, pauses, bytes, theirs]: [TimedJob[], number[], number[], number[]] = [[], [], [], []]
  const name = await newestBackup(measured, site)
  for (let turn = 0; turn < turns; turn += 1) {
    await must(measured, bare.archive(site))
    theirs.push(await timeMs(() => must(measured, bare.unpack)))
    await must(measured, bare.remove)
    const watched = watchPause(admitted, 'data.test')
    const before = sent()
    jobs.push(await timeJob(service, `/sites/${site.id}`, [['restore', name]]))
    bytes.push(sent() - before)
    pauses.push(await watched.end())
  }
  return [
    { what: 'a restore', value: medianMs(jobs), unit: 'ms' },
    ...stepFigures('of this', jobs),
    { what: 'bare zstd and tar that unpack, and mariadb that loads', value: median(theirs), unit: 'ms' },
    { what: 'a restore against these', value: medianMs(jobs) / median(theirs), unit: 'times', target: 1.5, floor: 6 },
    { what: 'of a restore, visitors get 503', value: median(pauses), unit: 'ms', target: 1000, floor: 2000 },
    { what: 'sent to the server for a restore', value: median(bytes) / 1024, unit: 'KB', target: 4, floor: 400 },
  ]
}

async function newestBackup({ service }: Measured, { id }: Site): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/sites/${id}/backups`, { headers: { authorization: `Bearer ${service.key}` } })
  const { items } = (await answer.json()) as { items: { name: string }[] }
  return items[0]?.name ?? ''
}

/** Asks without a break; ends with the time between the last answer before a refusal and the first one after. */
function watchPause({ host }: AdmittedHost, domain: string) {
  let [ended, since, longest] = [false, performance.now(), 0]
  const asking = (async () => {
    while (!ended) {
      const answer = await visit(host, domain, '/').catch(() => '')
      const now = performance.now()
      if (answer.startsWith('200 ')) since = now
      else longest = Math.max(longest, now - since)
      await pause(20)
    }
  })()
  return {
    async end(): Promise<number> {
      ended = true
      await asking
      return longest
    },
  }
}
