/**
 * Jobs of sites that are disturbed at any of the changes they make. The changes are found by running each job once: stops.c. Each day's run
 * disturbs six of the works that change most, and one other, at two steps and one change that chance picks; a soak disturbs every change
 * of each.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteJobLine } from '@/lib/service/machines/sites'
import { type Chance, isSoak, openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { type Fault, faults, runThrough, watchSites } from './sites/faults'
import { creation, endOf, runJob, siteNamed, switchingSsl, tracesOf } from './sites/site-job'
import { type Disturbed, disturbedWorks } from './sites/site-works'
import { type Moment, placeStops, type Stops } from './sites/stops'

const chance = openChance()
const neighbour = siteNamed('onefault1a2b', 'one.test')
const secured = siteNamed('threefault7a8b', 'three.test')
const always = [
  'creating a site',
  'switching SSL on',
  'deleting a site',
  'restoring a backup',
  'pushing a staging copy',
  'a further name with SSL',
]
const inTurn = [
  'a further name',
  'a name less with SSL',
  'switching SSL off',
  'other settings',
  'installing an app',
  'switching email on',
  'switching email off',
]
const titles = [...always, ...(isSoak ? inTurn : [chance.pick(inTurn)])]

type Disturbance = { moment: Moment; fault: Fault }

/** What has broken a work before: each run tries it in the middle of the changes that it names. */
const known: Readonly<Record<string, readonly { what: RegExp; fault: Fault }[]>> = {
  'switching email off': [
    { what: /^rename .*\/main\.cf$/, fault: 'the disk is full' },
    { what: /^rename .*\/main\.cf$/, fault: 'the job is killed' },
  ],
}

/** What an undisturbed run told: the host before and after it, its lines, and the changes it made. */
type Learned = { before: string; after: string; lines: readonly SiteJobLine[]; moments: readonly Moment[] }

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let authority: Authority
  let stops: Stops
  let works: Disturbed[]
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    await authority.serveNames(admitted.host)
    for (const name of ['one.test', 'two.test', 'www.two.test', 'three.test']) await authority.addAddresses(name, [admitted.host.ip])
    const from = { directory: authority.directory, roots: authority.roots, contact: '' }
    // The first site, and the first with SSL, set up what all share.
    for (const work of [creation(neighbour), creation(secured), switchingSsl(secured, true, from)])
      expect(await endOf(admitted.machine, work)).toMatchObject({ status: 'done' })
    stops = await placeStops(admitted.host)
    const php = (await admitted.machine.sites.facts([neighbour])).get(neighbour.name)?.settings?.php ?? ''
    works = disturbedWorks(admitted, from, php)
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  /** Certificates, also that of the mail server, backups and what a copy has noted of tables and files are new each time, and their folders stay. */
  const traces = async ({ content }: Disturbed) => {
    const kept = (await tracesOf(admitted.host))
      .split('\n')
      .filter(
        (line) =>
          !/\/certificates?[/ ]|\/mail\/server\.pem$|\.tar\.(gz|zst) |\.proven |^\/var\/backups\/gatehouse-sites | {2}.*\/(tables|pulled|files\.gz)$/.test(
            line,
          ),
      )
    return [...kept, (await content?.()) ?? ''].join('\n')
  }

  const readableKeys = async () =>
    (await admitted.host.run(`find /etc/gatehouse -type f -perm /077 -exec grep -l 'PRIVATE KEY' {} +`)).stdout

  /** Runs the work undisturbed, to learn its changes and what it leaves; then takes it back. */
  const learn = async (subject: Disturbed): Promise<Learned> => {
    const { prepare, work, undo } = subject
    await stops.at(0)
    await prepare()
    const before = await traces(subject)
    await stops.at(0)
    const lines = await runJob(admitted.machine, work)
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    const moments = await stops.listed()
    const after = await traces(subject)
    await undo()
    return { before, after, lines, moments }
  }

  /** The state that the last line claims. Names stay saved when their certificate fails; the next attempt has to bring it. */
  const claimed = async ({ work }: Disturbed, { before, after }: Learned, end: SiteJobLine | undefined) => {
    if (/still the former one|not all names are redirected to https yet/.test(end?.message ?? ''))
      expect(await endOf(admitted.machine, work)).toMatchObject({ status: 'done' })
    return end?.status === 'done' ? after : before
  }

  /** A deletion that was disturbed can be repeated, and there is one backup then. */
  const repeatDeletion = async (subject: Disturbed, { after }: Learned) => {
    expect(await endOf(admitted.machine, subject.work)).toMatchObject({ status: 'done', answer: expect.stringContaining('-delete.tar.') })
    expect(await traces(subject)).toBe(after)
  }

  /** Begins and ends where the work begins. */
  const disturb = async (subject: Disturbed, learned: Learned, { moment, fault }: Disturbance) => {
    // Nothing answers while the server is off.
    const watched =
      fault === 'the server loses power' ? null : await watchSites(admitted, neighbour.domain, secured.domain, subject.answers ?? null)
    const { end } = await runThrough(admitted, stops, subject.work, moment, fault)
    expect((await watched?.end()) ?? '').toBe('')
    await stops.at(0)
    const deletes = subject.work.kind === 'delete'
    // A deletion that has begun is the only work that stays half done, and says so.
    if (end?.halfDone && deletes) expect(end.error).toMatch(/delete it again\.$/)
    else {
      const expected = await claimed(subject, learned, end)
      expect(await traces(subject), end?.error).toBe(expected)
    }
    expect(await readableKeys()).toBe('')
    if (deletes && end?.status !== 'done') await repeatDeletion(subject, learned)
    if (deletes || end?.status === 'done') await subject.undo()
    expect(await traces(subject)).toBe(learned.before)
  }

  test.each(titles)(
    '%s: disturbed at any change, the answer is what holds on the server, and another site answers',
    async (title) => {
      const subject = works.find((work) => work.title === title)
      if (!subject) throw new Error(`There is no ${title}.`)
      const learned = await learn(subject)
      for (const each of [...knownFor(title, learned), ...planFor(chance, learned)]) {
        const { moment, fault } = each
        await disturb(subject, learned, each).catch((error: Error) => {
          error.message = `${fault} at ${moment.number} of ${learned.moments.length} (${moment.program}: ${moment.what}): ${error.message}`
          throw error
        })
      }
    },
    isSoak ? 7_200_000 : undefined,
  )
})

function knownFor(title: string, { moments }: Learned): Disturbance[] {
  return (known[title] ?? []).map(({ what, fault }) => {
    const named = moments.filter((moment) => what.test(moment.what))
    const moment = named[named.length >> 1]
    if (!moment) throw new Error(`${title} makes no change like ${what}.`)
    return { moment, fault }
  })
}

/** The k-th line of a job is written at the k-th change of its file of events. */
function planFor(chance: Chance, { moments, lines }: Pick<Learned, 'moments' | 'lines'>): Disturbance[] {
  const written = moments.filter(({ what }) => /^open .*\/events$/.test(what))
  const steps = written.filter((_, index) => index === 0 || lines[index]?.step !== lines[index - 1]?.step)
  const boundaries = [...steps, ...written.slice(-1)]
  if (!isSoak) {
    return [chance.pick(boundaries), chance.pick(boundaries), chance.pick(moments)].map((moment) => ({
      moment,
      fault: chance.pick(faults),
    }))
  }
  const killed = moments.map((moment) => ({ moment, fault: 'the job is killed' as const }))
  return [...killed, ...boundaries.flatMap((moment) => faults.map((fault) => ({ moment, fault })))]
}
