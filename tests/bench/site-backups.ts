/** Backups of a site on a real host, against the bare programs that do the same to its files and its database. */
import { timeMs } from './ansible'
import { type Figure, median } from './figure'
import { bare, type Measured, medianMs, must, type Site, turns } from './measured-site'
import { type TimedJob, timeJob } from './site-steps'

const writtenOf = (jobs: readonly TimedJob[]): number => median(jobs.map(({ said }) => said.get('The archive is written.') ?? Number.NaN))

type Turns = { ours: TimedJob[]; archived: number[]; unpacked: number[]; sent: number[] }

/** sent: what this process has sent to the host so far, in bytes. */
async function takeTurns(measured: Measured, site: Site, sent: () => number): Promise<Turns> {
  const taken: Turns = { ours: [], archived: [], unpacked: [], sent: [] }
  for (let turn = 0; turn < turns; turn += 1) {
    taken.archived.push(await timeMs(() => must(measured, bare.archive(site))))
    taken.unpacked.push(await timeMs(() => must(measured, bare.unpack)))
    await must(measured, bare.remove)
    const before = sent()
    taken.ours.push(await timeJob(measured.service, `/sites/${site.id}/backup/creates`))
    taken.sent.push(sent() - before)
  }
  return taken
}

export async function measureBackups(measured: Measured, site: Site, sent: () => number): Promise<Figure[]> {
  const taken = await takeTurns(measured, site, sent)
  const [written, archived] = [writtenOf(taken.ours), median(taken.archived)]
  const proven = median(taken.archived.map((ms, at) => ms + (taken.unpacked[at] ?? Number.NaN)))
  return [
    { what: 'a backup, verified', value: medianMs(taken.ours), unit: 'ms' },
    { what: 'of this, until the archive is written', value: written, unit: 'ms' },
    { what: 'of this, until it is read back and its dump is loaded', value: medianMs(taken.ours) - written, unit: 'ms' },
    { what: 'bare mariadb-dump, then tar and zstd', value: archived, unit: 'ms' },
    { what: 'these, then zstd and tar that unpack, and mariadb that loads', value: proven, unit: 'ms' },
    { what: 'writing the archive against dump, tar and zstd', value: written / archived, unit: 'times', target: 1.5, floor: 3 },
    {
      what: 'a backup, verified, against these with unpacking and loading',
      value: medianMs(taken.ours) / proven,
      unit: 'times',
      target: 1.5,
      floor: 3,
    },
    { what: 'sent to the server for a backup', value: median(taken.sent) / 1024, unit: 'KB', target: 4, floor: 400 },
  ]
}

/** Of a site that has nothing but these. */
export async function measureSmallFiles(measured: Measured, site: Site): Promise<Figure[]> {
  const { ours, archived } = await takeTurns(measured, site, () => 0)
  return [
    { what: '50,000 small files, until their archive is written', value: writtenOf(ours), unit: 'ms' },
    { what: 'of these, tar and zstd', value: median(archived), unit: 'ms' },
    {
      what: 'writing 50,000 small files against tar and zstd',
      value: writtenOf(ours) / median(archived),
      unit: 'times',
      target: 2,
      floor: 4,
    },
  ]
}
