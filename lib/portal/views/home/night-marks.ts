/** What happened at night, as marks on a line of time and lines of a list: what is alike and close together is one mark. Pure. */
import 'server-only'
import { isJobOperation } from '@/lib/portal/jobs/event-kinds'
import { nameOfKind, sayJobFailed, titleOfJob } from '@/lib/portal/jobs/title'
import { toReadableName } from '@/lib/text/idn'
import { formatNames } from '@/lib/text/names'
import { dayIn } from './night-window'

export type NightKind = 'failure' | 'outage' | 'backup' | 'renewal' | 'updates' | 'reboot' | 'signIn'

/** at, until: of the first and last of what it stands for, ISO. names: of what it is about, if it stands for several. */
export type NightMark = {
  key: string
  kind: NightKind
  at: string
  until: string
  count: number
  title: string
  names: string
  href: string
}

/** at: ms since 1970. cause: alike for what may be one mark. titleFor: of several, on so many different ones. hrefFor: of several. */
export type NightEvent = {
  kind: NightKind
  at: number
  cause: string
  name: string
  title: string
  href: string
  titleFor: (count: number, names: number) => string
  hrefFor: (day: string) => string
}

const [shortMs, longMs] = [15 * 60_000, 60 * 60_000]
const manyMarks = 48

/** In order of time. Marks of a quarter of an hour; of an hour if there would be very many. */
export function markEvents(events: readonly NightEvent[], zone: string): NightMark[] {
  const fine = markWithin(events, shortMs, zone)
  return fine.length > manyMarks ? markWithin(events, longMs, zone) : fine
}

function markWithin(events: readonly NightEvent[], spanMs: number, zone: string): NightMark[] {
  const groups = new Map<string, NightEvent[]>()
  for (const event of events.toSorted((one, other) => one.at - other.at)) {
    const key = `${event.kind} ${event.cause} ${Math.floor(event.at / spanMs)}`
    groups.get(key)?.push(event) ?? groups.set(key, [event])
  }
  return [...groups].flatMap(([key, group]) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    const isOne = group.length === 1
    const different = [...new Set(group.map(({ name }) => name))]
    const names = isOne ? '' : formatNames(different)
    const said = isOne ? first.title : first.titleFor(group.length, different.length)
    const times = { at: new Date(first.at).toISOString(), until: new Date(last.at).toISOString() }
    return [
      {
        key,
        kind: first.kind,
        ...times,
        count: group.length,
        title: said,
        names,
        href: isOne ? first.href : first.hrefFor(dayIn(first.at, zone)),
      },
    ]
  })
}

const countOf = (count: number, noun: string): string => `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`

type Done = { kind: NightKind; titleFor: (count: number, names: number) => string }

/** What is shown if it succeeded; other jobs are only shown if they did not. */
export const shownIfDone: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['event.backup', { kind: 'backup', titleFor: (count) => countOf(count, 'nightly backup') }],
  ['backups.create', { kind: 'backup', titleFor: (count) => `${countOf(count, 'backup')} of sites` }],
  ['event.renewal', { kind: 'renewal', titleFor: (count) => `${countOf(count, 'certificate')} renewed` }],
  ['event.updates', { kind: 'updates', titleFor: (_count, names) => `Automatic updates on ${countOf(names, 'server')}` }],
  ['servers.applyUpdates', { kind: 'updates', titleFor: (_count, names) => `Updates installed on ${countOf(names, 'server')}` }],
  ['servers.upgrade', { kind: 'updates', titleFor: (_count, names) => `${countOf(names, 'server')} brought up to date` }],
  ['event.reboot', { kind: 'reboot', titleFor: (_count, names) => `${countOf(names, 'server')} rebooted` }],
])

type NightJob = { id: string; operation: string; state: string; targetName: string; endedAt: Date | null }

/** Null for what is not shown: what runs, was cancelled, or succeeded and is no work of the night. */
export function eventOfJob({ id, operation, state, targetName, endedAt }: NightJob): NightEvent | null {
  const done = shownIfDone.get(operation)
  if (endedAt === null) return null
  const base = {
    at: endedAt.getTime(),
    cause: `${operation} ${state}`,
    name: toReadableName(targetName),
    href: `/jobs/${id}`,
    hrefFor: (day: string) => `/jobs?kind=${operation}&outcome=${state}&from=${day}&to=${day}`,
  }
  if (state === 'done') return done ? { ...base, kind: done.kind, title: titleOfJob(operation, targetName), titleFor: done.titleFor } : null
  if (state === 'failed') {
    const titleFor = (count: number) => `${countOf(count, 'job')} failed: ${nameOf(operation)}`
    return { ...base, kind: 'failure', title: sayJobFailed(operation, targetName), titleFor }
  }
  if (state !== 'interrupted' && state !== 'unknown') return null
  const word = state === 'interrupted' ? 'was interrupted' : 'ended with an unknown outcome'
  const titleFor = (count: number) => `${countOf(count, 'job')}: ${nameOf(operation)}, ${state}`
  return { ...base, kind: 'failure', title: `${titleOfJob(operation, targetName)} ${word}.`, titleFor }
}

const nameOf = (operation: string): string => (isJobOperation(operation) ? nameOfKind(operation) : 'other work')

/** isBack: whether it could be reached again. */
export function eventOfOutage({ serverId, name, at, isBack }: { serverId: string; name: string; at: Date; isBack: boolean }): NightEvent {
  const [one, several] = isBack ? ['is reachable again', 'are reachable again'] : ['became unreachable', 'became unreachable']
  return {
    kind: 'outage',
    at: at.getTime(),
    cause: isBack ? 'back' : 'gone',
    name,
    title: `${name} ${one}.`,
    href: `/servers/${serverId}`,
    titleFor: (_count, names) => `${countOf(names, 'server')} ${names === 1 ? one : several}`,
    hrefFor: () => (isBack ? '/servers' : '/servers?state=unreachable'),
  }
}

/** isOwn: whether the reader signed in. */
export function eventOfSignIn({
  userId,
  name,
  device,
  at,
  isOwn,
}: {
  userId: string
  name: string
  device: string
  at: Date
  isOwn: boolean
}): NightEvent {
  const href = isOwn ? '/account' : `/activity?person=${userId}`
  return {
    kind: 'signIn',
    at: at.getTime(),
    cause: userId,
    name: device,
    title: `${isOwn ? 'You' : name} signed in from a new browser: ${device}.`,
    href,
    titleFor: (count) => `${isOwn ? 'You' : name} signed in from ${countOf(count, 'new browser')}`,
    hrefFor: () => href,
  }
}
