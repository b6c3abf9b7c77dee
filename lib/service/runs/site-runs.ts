/** Work on sites: stored first, then started on the server at most once, then followed to its end. */
import { randomBytes } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Locks } from '../locks'
import type { Fleet } from '../machines/fleet'
import { MachineFailure } from '../machines/machine'
import type { Authority, SiteOnHost, SiteWork } from '../machines/sites'
import { stagingUser } from '../machines/staged'
import { ownerTag } from '../owner'
import { findMachine, type MachineRow } from '../store/machines'
import type { RunSecret } from '../store/run-secrets'
import { findRunInTheWay, type Run } from '../store/runs'
import { createCreation, createDeletion, createPull, createSiteRun, type SiteOperation, withdrawRun } from '../store/site-runs'
import { listNames } from '../store/sites'
import type { Store } from '../store/store'
import type { Runs } from './runs'
import { SlowWork } from './slow-work'

export type SiteRuns = {
  /** `admit` checks once more, under the lock of the server, and returns the site to create. Throws MachineFailure; Refused busy. */
  create(machine: MachineRow, admit: (present: MachineRow) => Promise<SiteOnHost>, wanted: WantedSite): Promise<SlowWork>
  /** The same for a site to delete. */
  delete(machine: MachineRow, siteId: string, admit: () => Promise<SiteOnHost>, backup: boolean): Promise<SlowWork>
  /** The same for a pull, whose answer shows a new password of the staging copy. */
  pull(machine: MachineRow, siteId: string, admit: (settings: { authority: Authority }) => Promise<Pull>): Promise<SlowWork>
  /** The same for any other work. Its run means nothing for the site until it has ended. */
  run(machine: MachineRow, siteId: string, wanted: WantedRun, admit: Admission): Promise<SlowWork>
  /** Cancels the work of a run, whose last line says so. Throws MachineFailure; Refused if it has ended, or can no longer be taken back. */
  cancel(machine: MachineRow, run: Run): Promise<void>
  /** A known run after an event, for a client that comes back; starts nothing on the server. */
  resume(machine: MachineRow, run: Run, afterId: number): SlowWork
}

/** wwwRedirect: as in SiteSettings. backup: the last backup of a deleted site, to be restored into the new one; absent for an empty site. */
export type WantedSite = { password: string; wwwRedirect: boolean; backup?: string }

/**
 * about: the name that the work is about, if it is not the site's domain; no other work of the account may claim names at the same time.
 * secret: what the answer of the work shows; stored encrypted until then.
 */
export type WantedRun = { operation: SiteOperation; about?: string; secret?: RunSecret }

/** Checks once more, under the lock of the server, and returns the work. */
export type Admission = (settings: { authority: Authority }) => Promise<SiteWork>

type Pull = Extract<SiteWork, { kind: 'pull' }>

export type SiteRunsOptions = {
  store: Store
  fleet: Fleet<MachineRow>
  locks: Locks
  runs: Runs
  authority: Authority
  /** How long new work waits for other work on the same site to end. The server lets it wait for work on other sites. */
  patienceMs: number
}

type Prepared = { run: Run; work: SiteWork }

/** After these failures of the start, the server may have begun the work. */
const uncertain = new Set(['outcome_unknown', 'too_slow'])

/** Also for a site without any work. */
export const noWork = problem('changed_meanwhile', { sentence: 'No work on this site is running. Reload the page.' })
const tooLate = 'The work is past the point until which it can be taken back, so it was not cancelled. It continues.'

export function createSiteRuns({ store, fleet, locks, runs, authority, patienceMs }: SiteRunsOptions): SiteRuns {
  /** Removes what was stored if the server certainly did not begin; otherwise following the run finds out. */
  const begin = async (machine: MachineRow, prepare: (present: MachineRow) => Promise<Prepared>): Promise<Run> => {
    const present = await findMachine(store, machine.accountId, machine.id)
    if (!present) throw new Refused(problem('not_found'))
    // Opened first, because a key that cannot be decrypted must not leave a run behind.
    const { sites } = fleet.machine(present)
    const { run, work } = await prepare(present)
    try {
      await sites.start(run.id, work)
    } catch (error) {
      if (error instanceof MachineFailure && !uncertain.has(error.problem.code)) {
        await withdrawRun(store, run)
        throw error
      }
    }
    runs.record(run, present)
    return run
  }

  /** Waits outside the lock, so that other changes of the server do not wait too. siteId: null for a site that is not there yet. */
  const start = async (
    machine: MachineRow,
    siteId: string | null,
    prepare: (present: MachineRow) => Promise<Prepared>,
  ): Promise<SlowWork> => {
    const patience = AbortSignal.timeout(patienceMs)
    for (;;) {
      const { started, running } = await locks.hold(machine.id, async () => {
        const running = await findRunInTheWay(store, machine.id, siteId)
        return running ? { started: null, running } : { started: await begin(machine, prepare), running: null }
      })
      if (started) return new SlowWork(runs, started, 0)
      if (running.siteId === null) throw new Refused(problem('busy'))
      runs.record(running, machine)
      if ((await runs.end(running, patience))?.state === 'running') throw new Refused(problem('busy'))
    }
  }

  /** Two servers of an account must not get the same name at the same time. */
  const whileNamesStay = <T>({ accountId }: MachineRow, work: () => Promise<T>) => locks.hold(`sites of ${accountId}`, work)

  return {
    create: (machine, admit, { password, wwwRedirect, backup }) =>
      start(machine, null, (present) =>
        whileNamesStay(present, async () => {
          const site = await admit(present)
          const restored = backup === undefined ? null : { backup, taken: await listNames(store, present.accountId, ''), authority }
          const run = await createCreation(store, present.id, site)
          const databasePassword = randomBytes(24).toString('base64url')
          const own = { owner: ownerTag(present.accountId), wwwRedirect, restored }
          return { run, work: { kind: 'create', site, password, databasePassword, ...own } }
        }),
      ),
    delete: (machine, siteId, admit, backup) =>
      start(machine, siteId, async (present) => {
        const site = await admit()
        return {
          run: await createDeletion(store, present.id, site),
          work: { kind: 'delete', site, backup, owner: ownerTag(present.accountId) },
        }
      }),
    pull: (machine, siteId, admit) =>
      start(machine, siteId, (present) =>
        whileNamesStay(present, async () => {
          const work = await admit({ authority })
          const secret = work.password === '' ? undefined : { user: stagingUser, password: work.password }
          return { run: await createPull(store, present.id, work, secret), work }
        }),
      ),
    run(machine, siteId, { operation, about, secret }, admit) {
      const prepare = async (present: MachineRow) => {
        const work = await admit({ authority })
        return { run: await createSiteRun(store, present.id, operation, work.site, { about, secret }), work }
      }
      return start(machine, siteId, about === undefined ? prepare : (present) => whileNamesStay(present, () => prepare(present)))
    },
    async cancel(machine, run) {
      runs.record(run, machine)
      const said = await fleet.machine(machine).sites.cancel(run.id)
      if (said === 'ended') throw new Refused(noWork)
      if (said === 'late') throw new Refused(problem('unsuitable', { sentence: tooLate }))
    },
    resume(machine, run, afterId) {
      if (run.state === 'running') runs.record(run, machine)
      return new SlowWork(runs, run, afterId)
    },
  }
}
