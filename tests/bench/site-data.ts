/** What copies the data of a site on a real host: how long it takes, against the bare programs on the same host. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AdmittedHost, startAdmitted } from '../hosts/reach'
import { openHttpService } from '../hosts/sites/http-service'
import { visit } from '../hosts/sites/site-job'
import type { Target } from '../service/support/caller'
import { createSite, listSites } from '../service/support/slow-work'
import { timeMs } from './ansible'
import { type Figure, median } from './figure'
import type { Section } from './report'
import { stepFigures, type TimedJob, timeJob } from './site-steps'

/** Of how many turns a figure is the median. */
const turns = 3

type Site = { id: string; user: string }
type Measured = { admitted: AdmittedHost; service: Target & { id: string } }

export async function measureSiteData(): Promise<Section> {
  await using admitted = await startAdmitted({ kind: 'root-key' })
  await admitted.machine.install.start()
  await using service = await openHttpService(admitted)
  const measured = { admitted, service }
  const blog = await newSite(measured, 'blog.test')
  const wordpress = await timeJob(service, `/sites/${blog.id}/install/wordpress`)
  const site = await newSite(measured, 'data.test')
  await fill(measured, site)
  return {
    title: 'Data of a site on a real host',
    how: `A site of 5,000 files and a database, 200 MB together, of which half cannot be compressed; medians of ${turns} turns, each beside the bare programs.`,
    figures: [
      { what: 'WordPress, from the call to its end', value: wordpress.ms, unit: 'ms' },
      ...stepFigures('of this', [wordpress]),
      ...(await measureBackups(measured, site)),
      ...(await measureRestores(measured, site)),
      ...(await measurePulls(measured, site)),
      ...(await measureDownloads(measured, site)),
    ],
  }
}

async function newSite({ service, admitted }: Measured, domain: string): Promise<Site> {
  await createSite(service, { domain, server: service.id, password: 'measured for the bench' })
  const id = (await listSites(service)).find((site) => site.domain === domain)?.id
  if (!id) throw new Error(`${domain} was not created.`)
  const { stdout } = await admitted.host.run(`dirname "$(grep -lx 'domain ${domain}' /etc/gatehouse/sites/*/site)" | xargs basename`)
  return { id, user: stdout.trim() }
}

const must = async ({ admitted }: Measured, command: string): Promise<string> => {
  const { code, stdout, stderr } = await admitted.host.run(command, { timeoutMs: 600_000 })
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** 5,000 files of 36 KB and 20,000 rows of 1 KB. */
async function fill(measured: Measured, { user }: Site): Promise<void> {
  await must(
    measured,
    `cd /home/${user}/public && for folder in {1..50}; do mkdir $folder && head -c 1843200 /dev/urandom | split -b 18432 -a 2 -d - $folder/; done
    for file in */*; do { cat $file; head -c 9216 $file | base64 -w 0; head -c 6144 /dev/zero; } >$file.new && mv $file.new $file; done
    chown -R ${user}: /home/${user}/public
    mariadb ${user} -e "CREATE TABLE rows_of_data (id INT PRIMARY KEY AUTO_INCREMENT, text TEXT); INSERT INTO rows_of_data (text) SELECT CONCAT(REPEAT('words ', 80), HEX(RANDOM_BYTES(256))) FROM seq_1_to_20000"`,
  )
}

const medianMs = (jobs: readonly Pick<TimedJob, 'ms'>[]): number => median(jobs.map(({ ms }) => ms))

async function measureBackups(measured: Measured, { id, user }: Site): Promise<Figure[]> {
  const bare = `set -o pipefail; cd /home/${user} && mariadb-dump --single-transaction ${user} >/var/backups/bare.sql && tar -cf - . /var/backups/bare.sql 2>/dev/null | zstd -q -3 -T0 >/var/backups/bare.tar.zst && sync /var/backups/bare.tar.zst && rm /var/backups/bare.*`
  const [ours, theirs]: [TimedJob[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    theirs.push(await timeMs(() => must(measured, bare)))
    ours.push(await timeJob(measured.service, `/sites/${id}/backup/creates`))
  }
  const written = ours.map(({ said }) => said.get('The archive is written.') ?? Number.NaN)
  return [
    { what: 'a backup, verified', value: medianMs(ours), unit: 'ms' },
    { what: 'of this, until the archive is written', value: median(written), unit: 'ms' },
    {
      what: 'of this, until it is read back and its dump is loaded',
      value: median(ours.map(({ ms }, at) => ms - (written[at] ?? 0))),
      unit: 'ms',
    },
    { what: 'bare mariadb-dump, then tar and zstd', value: median(theirs), unit: 'ms' },
    { what: 'writing the archive against these', value: median(written) / median(theirs), unit: 'times', target: 1.5, floor: 3 },
    { what: 'a backup, verified, against these', value: medianMs(ours) / median(theirs), unit: 'times', target: 1.5, floor: 6 },
  ]
}

async function measureRestores(measured: Measured, { id }: Site): Promise<Figure[]> {
  const { admitted, service } = measured
  const [jobs, pauses]: [TimedJob[], number[]] = [[], []]
  const backups = (await (
    await fetch(`${service.baseUrl}/sites/${id}/backups`, { headers: { authorization: `Bearer ${service.key}` } })
  ).json()) as {
    items: { name: string }[]
  }
  const name = backups.items[0]?.name ?? ''
  for (let turn = 0; turn < turns; turn += 1) {
    const watched = watchPause(admitted, 'data.test')
    jobs.push(await timeJob(service, `/sites/${id}`, [['restore', name]]))
    pauses.push(await watched.end())
  }
  return [
    { what: 'a restore', value: medianMs(jobs), unit: 'ms' },
    ...stepFigures('of this', jobs),
    { what: 'of this, visitors get 503', value: median(pauses), unit: 'ms', target: 2000, floor: 2000 },
  ]
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
    { what: 'the first pull, which makes the staging copy', value: first.ms, unit: 'ms' },
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
