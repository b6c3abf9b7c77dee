/** What copies the data of a site on a real host: how long it takes, against the bare programs on the same host. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AdmittedHost, startAdmitted } from '../hosts/reach'
import { openHttpService } from '../hosts/sites/http-service'
import { timeMs } from './ansible'
import { type Figure, median } from './figure'
import { fill, fillWithSmallFiles, type Measured, medianMs, newSite, type Site, turns } from './measured-site'
import type { Section } from './report'
import { countSent } from './sent-bytes'
import { measureBackups, measureSmallFiles } from './site-backups'
import { measureRestores } from './site-restores'
import { stepFigures, type TimedJob, timeJob } from './site-steps'

export async function measureSiteData(): Promise<Section> {
  await using admitted = await startAdmitted({ kind: 'root-key' })
  await admitted.machine.install.start()
  const sent = countSent(admitted.host.ip)
  await using service = await openHttpService(admitted)
  const measured = { admitted, service }
  const blog = await newSite(measured, 'blog.test')
  const wordpress = await timeJob(service, `/sites/${blog.id}/install/wordpress`)
  const site = await newSite(measured, 'data.test')
  await fill(measured, site)
  const small = await newSite(measured, 'small.test')
  await fillWithSmallFiles(measured, small)
  return {
    title: 'Data of a site on a real host',
    how: `A site of 5,000 files and a database, 200 MB together, of which half cannot be compressed; medians of ${turns} turns, each beside the bare programs.`,
    figures: [
      { what: 'WordPress, from the call to its end', value: wordpress.ms, unit: 'ms' },
      ...stepFigures('of this', [wordpress]),
      ...(await measureBackups(measured, site, sent)),
      ...(await measureSmallFiles(measured, small)),
      ...(await measureRestores(measured, site, sent)),
      ...(await measurePulls(measured, site)),
      ...(await measureDownloads(measured, site)),
    ],
  }
}

async function measurePulls({ service }: Measured, { id }: Site): Promise<Figure[]> {
  const fields: [string, string][] = [
    ['files', '1'],
    ['database', '1'],
    ['tables[]', ''],
  ]
  const pull = () => timeJob(service, `/sites/${id}/apps/pull`, fields)
  const first = await pull()
  const later: TimedJob[] = []
  for (let turn = 0; turn < turns; turn += 1) later.push(await pull())
  return [
    { what: 'the first pull, which makes the staging copy', value: first.ms, unit: 'ms', target: 2500, floor: 6000 },
    ...stepFigures('of this', [first]),
    { what: 'a later pull', value: medianMs(later), unit: 'ms' },
    ...stepFigures('of this', later),
  ]
}

async function measureDownloads(measured: Measured, { id }: Site): Promise<Figure[]> {
  const { admitted, service } = measured
  await using bare = openBare(admitted)
  const [jobs, ours, theirs]: [TimedJob[], number[], number[]] = [[], [], []]
  for (let turn = 0; turn < turns; turn += 1) {
    const job = await timeJob(service, `/sites/${id}/download`)
    jobs.push(job)
    // Before the link is followed, which removes the archive.
    theirs.push(await timeMs(() => bare.cat('$(ls -t /var/backups/gatehouse-sites/.downloads/* | head -n 1)')))
    ours.push(await timeMs(() => readToEnd(String(job.result.download_url))))
  }
  return [
    { what: 'a download is prepared', value: medianMs(jobs), unit: 'ms' },
    ...stepFigures('of this', jobs),
    { what: 'its bytes by the service', value: median(ours), unit: 'ms' },
    { what: 'by ssh HOST cat', value: median(theirs), unit: 'ms' },
    { what: 'a download against it', value: median(ours) / median(theirs), unit: 'times', target: 1.3, floor: 1.3 },
  ]
}

async function readToEnd(url: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The archive was answered with ${response.status}.`)
  for await (const _ of response.body ?? []);
}

/** A client of OpenSSH with the key of the host. */
function openBare({ host }: AdmittedHost) {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const key = join(dir, 'key')
  writeFileSync(key, host.login.pass)
  chmodSync(key, 0o600)
  const options = ['-i', key, '-p', String(host.port), '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-q']
  return {
    cat: (path: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const child = spawn('ssh', [...options, `${host.login.user}@${host.ip}`, `cat ${path}`], { stdio: ['ignore', 'pipe', 'inherit'] })
        child.stdout.resume()
        child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ssh ended with ${code}.`))))
      }),
    [Symbol.asyncDispose]: async () => rmSync(dir, { recursive: true, force: true }),
  }
}
