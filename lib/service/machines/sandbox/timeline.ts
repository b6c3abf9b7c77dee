/** An install of a sandbox server as a function of time, so that it proceeds even while the service is stopped. */
import type { InstallLine } from '../machine'
import { findKept } from './kept'
import type { SandboxJob, SandboxModel } from './model'
import { sandboxSteps } from './steps'
import { updatesOf, updatesTimeline } from './updates'
import { type Moment, outdatedSites, revertibleSites, upgradeTimeline } from './upgrade'

const failsOnFirstRunAt = 'database'
export const slownessOf = { plain: 1, failing: 1, flaky: 1, lived: 1, slow: 5 } as const

/** Starts to bring a server up to date that has no job running. unitMs: the pace of an ordinary server. */
export function beginUpgrade(machine: SandboxModel, nowMs: number, unitMs: number): void {
  begin(machine, outdatedSites(machine), false, nowMs, unitMs)
}

/** The same to take that back. */
export function beginRevert(machine: SandboxModel, nowMs: number, unitMs: number): void {
  begin(machine, revertibleSites(machine), true, nowMs, unitMs)
}

/** Starts to install the updates, or only those of security. */
export function beginUpdates(machine: SandboxModel, nowMs: number, unitMs: number, securityOnly: boolean): void {
  begin(machine, [], false, nowMs, unitMs)
  if (machine.job) Object.assign(machine.job, { upgrades: null, updates: updatesOf(machine, securityOnly) })
}

function begin(machine: SandboxModel, upgrades: string[], reverts: boolean, nowMs: number, unitMs: number): void {
  const job = { startedAtMs: nowMs, unitMs: unitMs * slownessOf[machine.temper], undone: [], kept: [], failsAt: null, passed: 0 }
  machine.job = { ...job, upgrades, reverts, updates: null }
}

/** The same for an install. */
export function beginJob(machine: SandboxModel, nowMs: number, unitMs: number): void {
  const undone = sandboxSteps.filter((step) => !step.isDone(machine)).map(({ id }) => id)
  const fails = machine.temper === 'failing' && machine.installs === 0
  machine.installs += 1
  machine.job = {
    startedAtMs: nowMs,
    unitMs: unitMs * slownessOf[machine.temper],
    undone,
    kept: findKept(machine),
    failsAt: fails ? failsOnFirstRunAt : null,
    upgrades: null,
    reverts: false,
    updates: null,
    passed: 0,
  }
}

/** Simulates everything that is due by now. Returns true if anything changed. */
export function advance(machine: SandboxModel, nowMs: number): boolean {
  const { job } = machine
  if (!job) return false
  const due = timelineOf(job)
    .slice(job.passed)
    .filter(({ atMs }) => job.startedAtMs + atMs <= nowMs)
  for (const moment of due) {
    moment.change?.(machine)
    machine.lines.push({ ...moment.says, line: (machine.lines.at(-1)?.line ?? 0) + 1 })
  }
  job.passed += due.length
  return due.length > 0
}

/** When the job's next line is due, in milliseconds since 1970; null if there is no running job. */
export function nextMomentMs({ job }: SandboxModel): number | null {
  const next = job && timelineOf(job)[job.passed]
  return next ? job.startedAtMs + next.atMs : null
}

const totalCost = sandboxSteps.flatMap(({ work }) => work).reduce((sum, { cost }) => sum + cost, 0)

function timelineOf(job: SandboxJob): Moment[] {
  if (job.updates) return updatesTimeline(job, job.updates)
  return job.upgrades ? upgradeTimeline(job, job.upgrades) : installTimeline(job)
}

function installTimeline(job: SandboxJob): Moment[] {
  const moments: Moment[] = []
  let units = 0
  let doneCost = 0
  const say = (
    step: { name: string },
    message: string,
    more: Partial<Pick<Moment, 'change'> & Pick<InstallLine, 'status' | 'error'>> = {},
  ) => {
    const { change, status = 'running', ...error } = more
    const progress = status === 'done' ? 100 : Math.min(99, Math.floor((100 * doneCost) / totalCost))
    const said = { step: step.name, progress, status, message, ...error }
    moments.push(change ? { atMs: units * job.unitMs, says: said, change } : { atMs: units * job.unitMs, says: said })
  }
  for (const step of sandboxSteps) {
    const cost = step.work.reduce((sum, work) => sum + work.cost, 0)
    const kept = job.kept.find(({ part }) => part === step.id)
    if (kept || !job.undone.includes(step.id)) {
      doneCost += cost
      say(step, kept ? `kept: ${kept.reason}` : 'already done')
      continue
    }
    for (const work of step.work) {
      units += work.cost
      if (step.id === job.failsAt && work === step.work.at(-1)) {
        say(step, step.failure, { status: 'failed', error: `The step “${step.name}” failed: ${step.failure}` })
        return moments
      }
      doneCost += work.cost
      say(step, work.says, work.change ? { change: work.change } : {})
    }
  }
  const last = sandboxSteps.at(-1)
  if (last) say(last, ['The installation is complete.', ...job.kept.map(({ reason }) => `kept: ${reason}`)].join(' '), { status: 'done' })
  return moments
}
