/** Adds, changes, tests and removes channels, and sends a message again. docs/decisions/075-channels.md */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { may, mayKeep } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import { processState } from '@/lib/portal/base/process-state'
import { inTransaction } from '@/lib/portal/base/transaction'
import { openChannel, sealChannel } from '@/lib/portal/custody/channel'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import type { Person } from '@/lib/portal/identity/actor'
import { recordOwnChange } from '@/lib/portal/identity/own-change'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import type { Channel } from '@/prisma/generated/portal/client'
import { attempt } from './deliver'
import { firstDigestedOn } from './digest'
import { type ChannelSettings, readAddress, readSettings } from './form'
import { readTopics } from './topics'

const maxChannels = 10

/** secret: of a webhook that was just added, shown once. */
export type ChannelSaved = { channelId: string; secret: string | null }

const missing = { ok: false, problem: problem('not_found') } as const

/**
 * Fields: keeper ("own" or "team"), those of form.ts, and a proof if the sign-in is not recent. A channel of the team sends what whoever
 * adds it sees.
 */
export async function addChannel({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<ChannelSaved>> {
  const shared = field('keeper') === 'team'
  if (shared && !mayKeepTeams(actor)) return { ok: false, problem: problem('forbidden') }
  const [settings, address] = [readSettings(field, shared), readAddress(field, shared, shared || mayKeep(actor.role, 'own'))]
  if (!address.ok) return address
  if (!settings.ok) return settings
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { kind, place, secrets } = address.data
  const [id, teamId, userId] = [createOpaqueId(), actor.team.id, shared ? null : actor.user.id]
  const identity = { id, teamId, userId, seesAsId: actor.user.id, kind, place, secretVersion: 1 }
  return recordFor(actor, 'channel.add', requestId, { ...identity, label: settings.data.label }, async () => {
    const sealed = await sealChannel(identity, secrets)
    return inTransaction(async (tx) => {
      const digestedOn = firstDigestedOn(settings.data, new Date())
      await tx.channel.create({ data: { ...identity, ...settings.data, digestedOn, ...sealed } })
      const tooMany = (await tx.channel.count({ where: { userId, teamId } })) > maxChannels
      return tooMany
        ? { ok: false, problem: problem('forbidden', { sentence: `There are ${maxChannels} channels already. Remove one first.` }) }
        : { ok: true, data: { channelId: id, secret: secrets.secret ?? null } }
    })
  })
}

/** Fields: channelId, those of form.ts but the address, and a proof if the sign-in is not recent. */
export async function changeChannel({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<ChannelSaved>> {
  const channel = await findChannel(actor, field)
  if (!channel) return refuse(actor, { id: field('channelId') })
  const settings = readSettings(field, channel.userId === null)
  if (!settings.ok) return settings
  if (isOthersSight(actor, channel) && isWider(channel, settings.data)) return notYours
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  return recordFor(actor, 'channel.change', requestId, { ...channel, label: settings.data.label }, async () => {
    const moved = settings.data.digestAt !== channel.digestAt || settings.data.timeZone !== channel.timeZone
    const data = { ...settings.data, ...(moved && { digestedOn: firstDigestedOn(settings.data, new Date()) }) }
    const { id, seesAsId } = channel
    const { count } = await db().channel.updateMany({ where: { id, seesAsId }, data })
    return count === 1 ? { ok: true, data: { channelId: channel.id, secret: null } } : missing
  })
}

/** Fields: channelId, on ("yes" or "no"). What a channel missed since Gatehouse turned it off is sent once it is on again. */
export async function turnChannel({ actor, requestId, field }: OwnInput): Promise<Outcome<object>> {
  const channel = await findChannel(actor, field)
  if (!channel) return refuse(actor, { id: field('channelId') })
  const { id } = channel
  const [on, now] = [field('on') === 'yes', new Date()]
  if (on && isOthersSight(actor, channel)) return notYours
  return recordFor(actor, on ? 'channel.turnOn' : 'channel.turnOff', requestId, channel, async () => {
    if (on) {
      const left = { channelId: id, state: 'failed', kind: { not: 'test' }, ...(channel.offAt && { endedAt: channel.offAt }) } as const
      await db().$transaction([
        db().delivery.updateMany({ where: channel.offAt ? left : { id: '' }, data: { state: 'waiting', endedAt: null, dueAt: now } }),
        db().channel.updateMany({ where: { id, seesAsId: channel.seesAsId }, data: { offAt: null, failures: 0 } }),
      ])
    } else await db().channel.updateMany({ where: { id, offAt: null }, data: { offAt: now, failures: 0 } })
    return { ok: true, data: {} }
  })
}

/** Field: channelId. From then on a channel of the team sends what this member sees, as when whoever set it up has left. */
export async function takeOverChannel({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<object>> {
  const channel = await findChannel(actor, field)
  if (!channel || channel.userId !== null) return refuse(actor, { id: field('channelId') })
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  return recordFor(actor, 'channel.takeOver', requestId, channel, async () => {
    const secrets = await openChannel(channel)
    if (!secrets) return { ok: false, problem: problem('key_locked') }
    const { id, secretVersion } = channel
    const own = { seesAsId: actor.user.id, secretVersion: secretVersion + 1 }
    const sealed = await sealChannel({ ...channel, ...own }, secrets)
    const { count } = await db().channel.updateMany({ where: { id, secretVersion }, data: { ...own, ...sealed } })
    return count === 1 ? { ok: true, data: {} } : { ok: false, problem: problem('changed_meanwhile') }
  })
}

/** Field: channelId. Its address and secret are erased with it. */
export async function removeChannel({ actor, requestId, field }: OwnInput): Promise<Outcome<object>> {
  const channel = await findChannel(actor, field)
  if (!channel) return refuse(actor, { id: field('channelId') })
  return recordFor(actor, 'channel.remove', requestId, channel, async () => {
    const { count } = await db().channel.deleteMany({ where: { id: channel.id } })
    return count === 1 ? { ok: true, data: {} } : missing
  })
}

/** ok: whether the receiver accepted it. */
export type Sent = { ok: boolean; status: number | null; answer: string }

const maxByHand = 20
const hourMs = 60 * 60_000

/** When each member sent tests and repeats within the last hour, on a clock that nobody sets. A restart forgets it, which lets few more pass. */
const sentByHand = processState('sent by hand', (): Map<string, readonly number[]> => new Map())

/** Counted before anything waits, so that many at once gain nothing. */
function countByHand({ user, team }: Person): Problem | null {
  const [key, now] = [`${team.id} ${user.id}`, performance.now()]
  const lately = (sentByHand().get(key) ?? []).filter((at) => now - at < hourMs)
  if (lately.length >= maxByHand)
    return problem('too_many', { sentence: `You sent ${maxByHand} messages within an hour. Wait a while before you send more.` })
  sentByHand().set(key, [...lately, now])
  return null
}

/** Field: channelId. Also while the channel is off. */
export async function testChannel({ actor, requestId, field }: OwnInput): Promise<Outcome<Sent>> {
  const channel = await findChannel(actor, field)
  if (!channel) return refuse(actor, { id: field('channelId') })
  if (await isLeft(channel)) return leftBehind
  const tooMany = countByHand(actor)
  if (tooMany) return { ok: false, problem: tooMany }
  const now = new Date()
  return recordFor(actor, 'channel.test', requestId, channel, async () => {
    const data = { id: createOpaqueId(), channelId: channel.id, kind: 'test', createdAt: now, dueAt: now } as const
    const stored = await inTransaction(async (tx) => ({ ok: true, data: await tx.delivery.create({ data }) }), { gone: missing.problem })
    return stored.ok ? sentOf(await attempt(channel, stored.data, now)) : stored
  })
}

/** Field: deliveryId, of no test. Under the same id, so that a receiver that has it already can tell; tried again until it is accepted, as any. */
export async function repeatDelivery({ actor, requestId, field }: OwnInput): Promise<Outcome<Sent>> {
  const id = field('deliveryId')
  const found = isOpaqueId(id) ? await db().delivery.findFirst({ where: { id, channel: keptBy(actor) }, include: { channel: true } }) : null
  if (!found) return refuse(actor, { deliveries: { some: { id } } })
  const { channel, ...delivery } = found
  if (channel.offAt !== null) return { ok: false, problem: problem('forbidden', { sentence: 'This channel is off. Turn it on first.' }) }
  if (delivery.state === 'dropped' || delivery.kind === 'test') return missing
  if (await isLeft(channel)) return leftBehind
  const tooMany = countByHand(actor)
  if (tooMany) return { ok: false, problem: tooMany }
  const now = new Date()
  const data = { state: 'waiting', endedAt: null, dueAt: now } as const
  return recordFor(actor, 'channel.repeat', requestId, channel, async () => {
    await db().delivery.updateMany({ where: { id, attempts: delivery.attempts }, data })
    return sentOf(await attempt(channel, { ...delivery, ...data }, now))
  })
}

const sentOf = (reply: Sent | null): Outcome<Sent> =>
  reply
    ? { ok: true, data: reply }
    : { ok: false, problem: problem('not_found', { sentence: 'Nothing of this message is in your sight any more.' }) }

const mayKeepTeams = ({ role }: Person): boolean => may(role, 'team', 'change')

const notYours = {
  ok: false,
  problem: problem('forbidden', { sentence: 'It sends what another member can see. Take it over first.' }),
} as const

const leftBehind = {
  ok: false,
  problem: problem('forbidden', { sentence: 'Whoever set it up is no longer a member. Take it over first.' }),
} as const

/** Of a channel of the team: whether the member whose sight it has is none any more. */
const isLeft = async ({ teamId, seesAsId }: Channel): Promise<boolean> => (await findAbsentMember(teamId, seesAsId)) === null

/** Of a channel of the team: more of what somebody sees is for that member to send. */
const isOthersSight = (actor: Person, { userId, seesAsId }: Channel): boolean => userId === null && seesAsId !== actor.user.id

/** Whether it sends a topic more, or a summary where it sent none. */
function isWider(channel: Channel, settings: ChannelSettings): boolean {
  const sent = new Set(readTopics(channel.topics))
  return readTopics(settings.topics).some((topic) => !sent.has(topic)) || (channel.digestAt === null && settings.digestAt !== null)
}

/** The member’s own channels, and those of the team for who may change it. */
const keptBy = (actor: Person) => ({
  teamId: actor.team.id,
  OR: [{ userId: actor.user.id }, ...(mayKeepTeams(actor) ? [{ userId: null }] : [])],
})

/** Another member's is as one that does not exist. */
async function findChannel(actor: Person, field: OwnInput['field']): Promise<Channel | null> {
  const id = field('channelId')
  return isOpaqueId(id) ? db().channel.findFirst({ where: { id, ...keptBy(actor) } }) : null
}

/** That the team has channels is no secret, so one of them is forbidden to those who do not keep them. */
async function refuse({ role, team }: Person, channel: { id: string } | { deliveries: { some: { id: string } } }) {
  const shared = await db().channel.count({ where: { ...channel, teamId: team.id, userId: null } })
  return shared > 0 && !may(role, 'team', 'change') ? ({ ok: false, problem: problem('forbidden') } as const) : missing
}

type Recorded = Pick<Channel, 'userId' | 'label' | 'kind' | 'place'>

function recordFor<T>(
  actor: Person,
  action: OwnAction,
  requestId: string,
  { userId, label, kind, place }: Recorded,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const detail = { label, via: kind, ...(place !== '' && { address: place }) }
  if (userId !== null) return recordOwnChange(actor, action, requestId, run, detail)
  const object = { kind: 'team', id: actor.team.id } as const
  return runRecorded({ actor, action, requestId, object, needs: { subject: 'team', effect: 'change' }, detail }, run)
}
