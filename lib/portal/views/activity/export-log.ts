/** The audit log as a file while that needs a second person: asked for with its filter, and taken by whoever asked. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { may } from '@/lib/portal/access/roles'
import { takeFile } from '@/lib/portal/approvals/take'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { isTimeZone } from '@/lib/portal/identity/preferences'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { type ActivityFilter, readFilter, writeFilter } from './filter'

export type ExportedLog = { filter: ActivityFilter; zone: string }

const action = 'activity.export' as const

const notNeeded = problem('changed_meanwhile', { sentence: 'This needs no second person any more. Reload the page.' })

/**
 * Fields: filter, a query as the page Activity has it; zone, in which its days are. What is added to the log after it was asked for is left out, so
 * that the file is what was approved.
 */
export async function exportLog({ actor, requestId, field, approvedDigest }: OwnInput): Promise<Outcome<ExportedLog>> {
  const object = { kind: 'team', id: actor.team.id } as const
  if (!may(actor.role, 'auditLog', 'export')) {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: problem('forbidden') }
  }
  const asks = approvedDigest === undefined
  if (asks && !(await needsSecondPerson(actor.team.id, action))) return { ok: false, problem: notNeeded }
  const [asked, zone] = [readFilter(Object.fromEntries(new URLSearchParams(field('filter')))), field('zone')]
  if (!isTimeZone(zone)) return { ok: false, problem: problem('invalid') }
  const filter = asks ? { ...asked, before: await limit(actor, asked) } : asked
  const second = {
    fields: { filter: writeFilter(filter), zone },
    what: `Export the audit log${filter.from ? `, from ${filter.from}` : ''}${filter.to ? `, until ${filter.to}` : ''}`,
    now: await describe(filter, zone),
    full: true,
    approvedDigest,
  }
  const needs = { subject: 'auditLog', effect: 'export' } as const
  const detail = { from: filter.from, until: filter.to }
  return runRecorded({ actor, action, requestId, object, needs, detail, second }, async () => ({ ok: true, data: { filter, zone } }))
}

/** What the file of an approved request is to contain, for whoever asked. Each taking is an entry of the audit log. */
export const takeExport = (actor: Person, heldId: string): Promise<Outcome<ExportedLog>> => takeFile(actor, heldId, action, exportLog)

/** Above the newest entry that there is now. */
async function limit({ team }: Person, { before }: ActivityFilter): Promise<number> {
  const newest = await db().auditRow.findFirst({ where: { teamId: team.id }, orderBy: { seq: 'desc' }, select: { seq: true } })
  const above = (newest?.seq ?? 0) + 1
  return before === null ? above : Math.min(before, above)
}

/** The filter in words, for whoever approves. */
async function describe(
  { person, kind, outcome, target, object, connection, from, to, before }: ActivityFilter,
  zone: string,
): Promise<Record<string, string>> {
  const user = person === null ? null : await db().user.findUnique({ where: { id: person }, select: { email: true } })
  // By their ids: whoever approves may see other names than whoever asks.
  return {
    From: from ?? 'the first entry',
    Until: to ?? 'when it was asked for',
    'Time zone': zone.replaceAll('_', ' '),
    Person: person === null ? 'everybody' : (user?.email ?? 'a former member'),
    What: kind ?? 'everything',
    Outcome: outcome ?? 'any',
    Target: target || 'any',
    ...(object !== null && { 'Server or site': `with the id ${object}` }),
    ...(connection !== null && { Connection: `with the id ${connection}` }),
    'Entries below number': String(before),
  }
}
