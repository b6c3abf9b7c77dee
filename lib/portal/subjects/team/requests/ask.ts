/** Asks for access that is missing at a server or site, or in words where no place is in sight, and takes that back. docs/decisions/073-access-requests.md */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { cleanSentence } from '@/lib/contract/sentence'
import { recordDenied } from '@/lib/portal/access/denied'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { formatMinutes, minutesChoices } from '@/lib/text/access-requests'
import type { AccessRequest, Prisma } from '@/prisma/generated/portal/client'
import { findApprovers } from './approvers'
import { type Askable, findAskable, formatCeiling } from './askable'
import { closeStale } from './close'
import { type AskedPlace, findAskedPlace } from './place'
import type { Lender } from './reached'
import { tellApprovers } from './tell'
import { aboutOf } from './work'

export type Asking = { accessRequestId: string }

const dayMs = 86_400_000
const openForMs = 7 * dayMs
const maxWhy = 200
const maxWanted = 200

/** Of one member: open at the same time, and asked within a day, because others are notified of each. */
export const limits = { open: 10, aDay: 20 }

/** Whoever may see the place may ask: the role limits what can be asked for. */
const needs = { subject: 'servers', effect: 'read' } as const

/**
 * Fields: place ("server ID", "site ID" or "nowhere"), what (the id of a choice; of nowhere, words), minutes (empty for no end), why, page (the
 * path it is asked from).
 */
export async function askForAccess(input: OwnInput): Promise<Outcome<Asking>> {
  const { actor, field } = input
  if (field('place') === 'nowhere') return askInWords(input)
  const [kind = '', placeId = ''] = field('place').split(' ')
  const place = await findAskedPlace(actor, kind, placeId)
  if (!place) {
    await recordDenied(actor, 'access.ask', { kind: kind === 'site' ? 'site' : 'server', id: placeId }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const read = await readForm(actor, place, field)
  if (!read.ok) return read
  const { choice, lenders, minutes, why } = read.data
  const wanted = {
    placeKind: place.kind,
    placeId: place.id,
    minutes,
    why,
    subject: choice.subject,
    effects: choice.effects.join(','),
    root: choice.root,
    wanted: '',
    page: pageOf(place, field('page')),
    openKey: `${actor.user.id} ${place.id} ${choice.subject}`,
  }
  return ask(input, { place, lenders, granted: choice.granted }, wanted)
}

/** What is typed is looked up nowhere, so no answer says which servers and sites there are. */
async function askInWords(input: OwnInput): Promise<Outcome<Asking>> {
  const { actor, field } = input
  if (seesAll(await rightOf(actor)))
    return { ok: false, problem: problem('invalid', { sentence: 'Ask on the page of the server or site.' }) }
  const [wanted, minutes, why] = [cleanSentence(field('what'), maxWanted) ?? '', readMinutes(field), readWhy(field)]
  if (wanted === '' || minutes === undefined || why === '') {
    const fields = { ...(wanted === '' && { what: 'Say what you need.' }), ...refuseCommon(minutes, why) }
    return { ok: false, problem: problem('invalid', { fields }) }
  }
  const page = emptyPages.find((path) => path === field('page')) ?? '/'
  const openKey = `${actor.team.id} ${actor.user.id} nowhere`
  const work = { subject: '', effects: '', root: false }
  return ask(
    input,
    { place: null, lenders: [], granted: false },
    { placeKind: 'nowhere', placeId: '', ...work, wanted, minutes, why, page, openKey },
  )
}

const emptyPages = ['/', '/servers', '/sites', '/backups'] as const

type Wanted = Pick<
  AccessRequest,
  'placeKind' | 'placeId' | 'subject' | 'effects' | 'root' | 'wanted' | 'minutes' | 'why' | 'page' | 'openKey'
>

/** What decides who is notified. place: null for what only words say. granted: only a loan is missing. */
type Where = { place: AskedPlace | null; lenders: readonly Lender[]; granted: boolean }

async function ask({ actor, requestId }: OwnInput, { place, lenders, granted }: Where, wanted: Wanted): Promise<Outcome<Asking>> {
  // Who could only give access that is there already has nothing to decide.
  const approvers = granted ? [] : await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, place)
  if (approvers.length === 0 && !granted) return nobody
  await closeStale()
  const [id, now] = [createOpaqueId(), new Date()]
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + openForMs) }
  const row = { id, teamId: actor.team.id, userId: actor.user.id, ...wanted, ...times }
  const about = aboutOf(row, place)
  const detail = { email: actor.user.email, about, until: formatMinutes(row.minutes), why: row.why }
  const change = { actor, action: 'access.ask', requestId, object: { kind: 'user', id: actor.user.id }, needs, detail } as const
  const done = await runRecorded(change, (still) => store(still, row))
  if (done.ok) await tellApprovers({ ...row, name: actor.user.name, about }, approvers, lenders)
  return done
}

const nobody = {
  ok: false,
  problem: problem('forbidden', { sentence: 'There is nobody else who could approve this. Ask a team owner to add one.' }),
} as const

type Form = { choice: Askable; lenders: readonly Lender[]; minutes: number | null; why: string }

async function readForm(actor: Person, place: AskedPlace, field: OwnInput['field']): Promise<Outcome<Form>> {
  const { choices, lenders } = await findAskable(actor, place)
  const choice = choices.find(({ id }) => id === field('what'))
  const [minutes, why] = [readMinutes(field), readWhy(field)]
  if (choice && minutes !== undefined && why !== '')
    return { ok: true, data: { choice, lenders: choice.lenders.length === 0 ? [] : lenders, minutes, why } }
  const fields = { ...(!choice && { what: refuseWhat(actor, field('what')) }), ...refuseCommon(minutes, why) }
  return { ok: false, problem: problem('invalid', { fields }) }
}

const readMinutes = (field: OwnInput['field']): number | null | undefined =>
  minutesChoices.find((each) => (each === null ? '' : String(each)) === field('minutes'))

const readWhy = (field: OwnInput['field']): string => cleanSentence(field('why'), maxWhy) ?? ''

const refuseCommon = (minutes: number | null | undefined, why: string) => ({
  ...(minutes === undefined && { minutes: 'Choose for how long.' }),
  ...(why === '' && { why: 'Say what you need it for.' }),
})

function refuseWhat({ role }: Person, what: string): string {
  const [, effect = ''] = what.split(' ')
  if (effect !== 'read' && effect !== 'export' && effect !== 'change' && effect !== 'destroy') return 'Choose what you need.'
  return formatCeiling(role, [effect]) || 'Your access includes this already, or it is not there. Reload the page.'
}

/** A page of the place itself, so that nobody is led elsewhere. */
function pageOf({ kind, id }: AskedPlace, page: string): string {
  const base = `/${kind}s/${id}`
  return page.startsWith(`${base}/`) && /^[a-z]{1,20}$/.test(page.slice(base.length + 1)) ? page : base
}

/** Writes first, so that of two at once the second one counts the first. */
function store({ user, team, role }: Person, row: Prisma.AccessRequestUncheckedCreateInput): Promise<Outcome<Asking>> {
  const of = { teamId: team.id, userId: user.id }
  return inTransaction(
    async (tx) => {
      await tx.accessRequest.create({ data: row })
      const member = await tx.membership.count({ where: { ...of, role, user: { disabledAt: null }, ...lastingMemberships() } })
      if (member === 0) return { ok: false, problem: problem('changed_meanwhile') }
      if ((await tx.accessRequest.count({ where: { ...of, state: 'open' } })) > limits.open)
        return tooMany(`${limits.open} requests are open`)
      const today = await tx.accessRequest.count({ where: { ...of, createdAt: { gt: new Date(Date.now() - dayMs) } } })
      if (today > limits.aDay) return tooMany(`You asked ${limits.aDay} times within a day`)
      return { ok: true, data: { accessRequestId: row.id } }
    },
    { taken: problem('invalid', { fields: { what: 'You asked for this already. Wait for the answer, or withdraw that request first.' } }) },
  )
}

const tooMany = (what: string) => ({ ok: false, problem: problem('too_many', { sentence: `${what}. Wait for an answer first.` }) }) as const

/** Field: accessRequestId, of one’s own request. */
export async function withdrawRequest({ actor, requestId, field }: OwnInput): Promise<Outcome<Asking>> {
  const id = field('accessRequestId')
  const of = { teamId: actor.team.id, userId: actor.user.id }
  const row = isOpaqueId(id) ? await db().accessRequest.findFirst({ where: { id, ...of } }) : null
  if (!row) {
    await recordDenied(actor, 'access.withdraw', { kind: 'user', id: '' }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const place = await findAskedPlace(actor, row.placeKind, row.placeId)
  const about = aboutOf(row, row.placeKind === 'nowhere' ? null : (place ?? { kind: row.placeKind, name: null }))
  const object = { kind: 'user', id: actor.user.id } as const
  const change = { actor, action: 'access.withdraw', requestId, object, needs, detail: { email: actor.user.email, about } } as const
  return runRecorded(change, async () => {
    const data = { state: 'withdrawn', openKey: null, decidedAt: new Date() } as const
    const { count } = await db().accessRequest.updateMany({ where: { id, ...of, state: 'open' }, data })
    return count === 1 ? { ok: true, data: { accessRequestId: id } } : { ok: false, problem: problem('changed_meanwhile') }
  })
}
