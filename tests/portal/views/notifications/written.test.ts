/** What each event stores, as the sentence that its readers see. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { createRecoveryLink, recoverAccount } from '@/lib/portal/identity/recovery'
import { recordEnd } from '@/lib/portal/jobs/relay/record-end'
import { freezeConnection, thawConnection } from '@/lib/portal/subjects/connections/freeze'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { changeMemberEmail } from '@/lib/portal/subjects/team/change-email'
import { changeRole, disableMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { removeSecondFactor } from '@/lib/portal/subjects/team/operator'
import { createResetLink, mayResetStill } from '@/lib/portal/subjects/team/reset-link'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { device } from '@/tests/portal/identity/people'
import { accept, invite, tokenOf } from '@/tests/portal/subjects/team/inviting'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

type World = { upstream: Upstream; owner: Actor; other: Actor; operator: Actor; connectionId: string }

const newPassword = 'Fünf Störche fliegen fort'
const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const roleOf = ({ owner }: World, { user }: Actor, role: string) => changeRole(inputOf(owner, { memberId: user.id, role }))

async function failJob({ operator }: World): Promise<void> {
  const now = new Date()
  const job = { id: 'j', teamId: operator.team.id, operation: 'servers.install', targetName: 'alpha', state: 'failed', lease: 'l' } as const
  await db().job.create({ data: { ...job, startedById: operator.user.id, startedAt: now, heardAt: now, endedAt: now } })
  await recordEnd({ jobId: job.id }, { state: 'failed', problem: null })
}

async function loseFactor({ operator: { user } }: World): Promise<void> {
  const passkey = { id: 'k', userId: user.id, label: '', publicKey: new Uint8Array(), counter: 0, transports: '', backedUp: false }
  await db().passkey.create({ data: passkey })
  await removeSecondFactor(user.email)
}

async function resetByOwner({ owner, operator }: World): Promise<void> {
  const made = await createResetLink(inputOf(owner, { memberId: operator.user.id }))
  await recoverAccount(made.ok ? tokenOf(made.data.link) : '', newPassword, device, mayResetStill)
}

const resetInShell = async ({ operator }: World) =>
  recoverAccount(tokenOf((await createRecoveryLink(operator.user.email)) ?? ''), newPassword, device)

/** Freezes and thaws the operator's own connection. */
async function freezeAndThaw({ owner, connectionId }: World): Promise<void> {
  for (const change of [freezeConnection, thawConnection]) await change(inputOf(owner, { connectionId }))
}

async function refuseKey({ upstream, operator }: World): Promise<void> {
  upstream.set('unauthorized')
  await listServers(operator)
}

const changeAddress = ({ owner, operator }: World) =>
  changeMemberEmail(inputOf(owner, { memberId: operator.user.id, email: 'new@example.org' }))

type Reader = 'owner' | 'other' | 'operator'

/** What happens, who reads about it, and what. */
const events: readonly [string, (world: World) => Promise<unknown>, Reader, string][] = [
  ['accepted', async ({ owner }) => accept(await invite(owner)), 'owner', 'Ada accepted the invitation as Operator.'],
  [
    'joined as owner',
    async ({ owner }) => accept(await invite(owner, { role: 'owner' })),
    'other',
    'Ada is now an owner of the team, by The owner.',
  ],
  ['made owner', (world) => roleOf(world, world.operator, 'owner'), 'other', 'The operator is now an owner of the team, by The owner.'],
  ['owner lowered', (world) => roleOf(world, world.other, 'admin'), 'other', 'The owner is no longer an owner of the team, by The owner.'],
  [
    'owner disabled',
    ({ owner, other }) => disableMember(inputOf(owner, { memberId: other.user.id })),
    'owner',
    'The owner is no longer an owner of the team, by The owner.',
  ],
  [
    'owner with an end',
    ({ owner, other }) => setMembershipEnd(inputOf(owner, { memberId: other.user.id, endsOn: soon })),
    'other',
    'The owners of the team changed, by The owner.',
  ],
  [
    'reset by owner',
    resetByOwner,
    'operator',
    'The password of The operator was reset with a link from The owner. All its sessions ended.',
  ],
  ['reset in a shell', resetInShell, 'other', 'The password of The operator was reset. All its sessions ended.'],
  ['frozen', freezeAndThaw, 'operator', 'The owner froze the connection “Own”.'],
  ['thawed', freezeAndThaw, 'operator', 'The owner thawed the connection “Own”.'],
  ['refused', refuseKey, 'operator', 'The service no longer accepts the API key of the connection “Own”. Replace the key.'],
  ['address', changeAddress, 'operator', 'The address of your account is now new@example.org, changed by The owner.'],
  [
    'second factor',
    loseFactor,
    'other',
    'The server administrator removed the second factor of The operator. If nobody asked for that, ask them why.',
  ],
  ['job', failJob, 'operator', 'Installing alpha failed.'],
]

test.each(events)('%s: the notification says it with the names that were stored', async (_, act, reader, text) => {
  await using __ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const people = { owner: await team.join('owner'), other: await team.join('owner'), operator: await team.join('operator') }
  const connectionId = await team.connect(upstream, { ownerId: people.operator.user.id, label: 'Own' })
  await act({ upstream, ...people, connectionId })
  expect((await listNotifications(people[reader])).items.map((item) => item.text)).toContain(text)
})
