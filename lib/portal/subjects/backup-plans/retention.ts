/** Which copies of a site a schedule deletes. Pure. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { localTime } from '@/lib/portal/base/local-time'

/** Of the newest days, weeks and months that have copies, the newest copy is kept. */
export type Retention = { keepDaily: number; keepWeekly: number; keepMonthly: number }

export const usualRetention: Retention = { keepDaily: 7, keepWeekly: 4, keepMonthly: 6 }

/** The least and the most of each. */
const retentionBounds = { keepDaily: [1, 366], keepWeekly: [0, 520], keepMonthly: [0, 240] } as const

/** Of a schedule whose target keeps all copies, if old ones are to be deleted there one day: nobody was asked for fewer. */
export const mostRetention: Retention = {
  keepDaily: retentionBounds.keepDaily[1],
  keepWeekly: retentionBounds.keepWeekly[1],
  keepMonthly: retentionBounds.keepMonthly[1],
}

const retentionNames = ['keepDaily', 'keepWeekly', 'keepMonthly'] as const

type ReadField = (name: string) => string

const isWithin = (name: keyof Retention, text: string): boolean => {
  const [least, most] = retentionBounds[name]
  return /^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most
}

/** Why fields of a form are refused, by name. Empty ones mean the usual. */
export const refuseRetention = (field: ReadField): Record<keyof Retention, string | null> => {
  const refuse = (name: keyof Retention) => {
    const [text, [least, most]] = [field(name).trim(), retentionBounds[name]]
    return text === '' || isWithin(name, text) ? null : `Enter a number from ${least} to ${most}.`
  }
  return { keepDaily: refuse('keepDaily'), keepWeekly: refuse('keepWeekly'), keepMonthly: refuse('keepMonthly') }
}

/** What refuseRetention accepts. */
export function readRetention(field: ReadField): Retention {
  const given = retentionNames.map((name) => [name, field(name).trim()] as const).filter(([, text]) => text !== '')
  return { ...usualRetention, ...Object.fromEntries(given.map(([name, text]) => [name, Number(text)])) }
}

/** "7 daily, 4 weekly and 6 monthly copies". */
export const formatRetention = ({ keepDaily, keepWeekly, keepMonthly }: Retention): string =>
  `${keepDaily} daily, ${keepWeekly} weekly and ${keepMonthly} monthly copies`

/** provenAt: when the newest proof ended that found that the site can be restored from it; badAt: since when one finds that it cannot. */
type DatedCopy = { startedAt: Date; provenAt?: Date | null; badAt?: Date | null }

/**
 * copies: complete ones of one site in one repository. Days without a copy do not count, so nothing is deleted while none are made. Weeks begin on Monday. Never the
 * newest copy, nor the one that was proven last: it is the only one that is known to be good. One that is
 * known to be bad takes the place of no other. A copy of the future was made while a clock was wrong: it is not deleted, and the others are kept as if it were not there.
 */
export function findSurplus<Copy extends DatedCopy>(
  copies: readonly Copy[],
  { keepDaily, keepWeekly, keepMonthly }: Retention,
  { timeZone, now }: { timeZone: string; now: Date },
): Copy[] {
  const past = copies.filter(({ startedAt }) => startedAt <= now)
  const dated = past.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime()).map((copy) => ({ copy, day: dayOf(copy, timeZone) }))
  const proven = dated.filter(({ copy }) => copy.provenAt && !copy.badAt).toSorted((a, b) => provenTime(b) - provenTime(a))
  const kept = new Set([...dated.slice(0, 1), ...proven.slice(0, 1)])
  const good = dated.filter(({ copy }) => !copy.badAt)
  for (const [count, periodOf] of [
    [keepDaily, (day: string) => day],
    [keepWeekly, mondayOf],
    [keepMonthly, (day: string) => day.slice(0, 7)],
  ] as const)
    for (const some of [dated, good]) for (const each of newestOf(some, count, periodOf)) kept.add(each)
  return dated.filter((each) => !kept.has(each)).map(({ copy }) => copy)
}

/** copies: the newest first. The newest of each of the newest periods. */
function newestOf<Dated extends { day: string }>(copies: readonly Dated[], count: number, periodOf: (day: string) => string): Dated[] {
  const newest = new Map<string, Dated>()
  for (const each of copies) {
    const period = periodOf(each.day)
    if (!newest.has(period) && newest.size < count) newest.set(period, each)
  }
  return [...newest.values()]
}

const provenTime = ({ copy }: { copy: DatedCopy }): number => copy.provenAt?.getTime() ?? 0

const dayOf = ({ startedAt }: DatedCopy, timeZone: string): string => localTime(startedAt, timeZone).day

const dayMs = 86_400_000

/** Of YYYY-MM-DD, the Monday on or before it. */
function mondayOf(day: string): string {
  const at = Date.parse(day)
  return new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)
}
