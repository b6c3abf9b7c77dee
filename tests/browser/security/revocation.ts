/** Permissions that end while a user is working. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { changePassword } from '@/lib/portal/identity/change-password'
import { hashPassword } from '@/lib/portal/identity/password'
import { endSessionsOf, openSession } from '@/lib/portal/identity/session'
import { openSqliteFile } from '../../support/sqlite-file'
import { readSse } from '../../support/sse-reader'
import { callAction, codeOf, Form } from './action-call'
import type { Estate, Person } from './estate'
import { expectNoEffect } from './traces'

/** The ways to lose access, except a role with view-only access. */
const lapses: Record<string, (estate: Estate, person: Person) => Promise<unknown>> = {
  'session revoked': (_, { sessionId }) => db().session.update({ where: { id: sessionId }, data: { revokedAt: new Date() } }),
  'session at its end': (_, { sessionId }) => db().session.update({ where: { id: sessionId }, data: { expiresAt: new Date() } }),
  'person disabled': (_, { userId }) => db().user.update({ where: { id: userId }, data: { disabledAt: new Date() } }),
  'removed from the team': ({ teams }, { userId }) =>
    db().membership.delete({ where: { userId_teamId: { userId, teamId: teams.ours.id } } }),
  'membership at its end': (_, { userId }) => db().membership.updateMany({ where: { userId }, data: { endsAt: new Date() } }),
  'signed out everywhere': (_, { userId }) => endSessionsOf(userId),
  'password changed in another browser': changePasswordElsewhere,
  'role nobody knows': (_, { userId }) => db().$executeRaw`UPDATE "Membership" SET "role" = 'caretaker' WHERE "userId" = ${userId}`,
}

async function changePasswordElsewhere({ teams }: Estate, { userId }: Person): Promise<unknown> {
  const [current, device] = ['a password of their own', { peer: '127.0.0.1', userAgent: 'another browser' }]
  await db().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(current) } })
  const actor = await findActorBySid(await openSession({ userId, teamId: teams.ours.id }, device))
  const changed = actor && (await changePassword(actor, { current, next: 'three grey owls by the river' }, device, 'changed-elsewhere'))
  if (!changed?.ok) throw new Error(`The password was not changed: ${JSON.stringify(changed)}`)
  return changed
}

/** A job that keeps running without output, so that its stream stays open. */
async function addEndlessJob({ teams, owner }: Estate, name = 'Endless-'): Promise<string> {
  const id = name.padEnd(22, '0')
  const started = { id, teamId: teams.ours.id, startedById: owner.userId, operation: 'servers.install', targetName: 'endless' }
  const line = { jobId: id, seq: 1, at: new Date(), step: 'packages', progress: 1, status: 'running', message: 'a first line' }
  const running = { state: 'running' as const, lease: 'somebody else', eventCount: 1, heardAt: new Date(Date.now() + 3_600_000) }
  await db().job.create({ data: { ...started, ...running } })
  await db().jobEvent.create({ data: line })
  return id
}

async function openStream({ caller }: Estate, jobId: string, cookie: string) {
  const response = await fetch(`${caller.origin}/api/jobs/${jobId}/events`, { headers: { cookie } })
  const reader = readSse(response)
  await expect.poll(() => reader.seqs(), { timeout: 20_000 }).toEqual([1])
  return reader
}

const install = ({ caller, action, serverId }: Estate, cookie: string) =>
  callAction(caller, action('installServer'), [null, new Form({ serverId })], { cookie })

export function revocation(estate: Estate): void {
  const { caller, serverId, teams } = estate

  test('security 16: a removed member is refused at the next request, and open streams end within 5 s', async () => {
    const jobId = await addEndlessJob(estate)
    const staying = await openStream(estate, jobId, estate.owner.cookie)
    await Promise.all(
      Object.entries(lapses).map(async ([how, lose]) => {
        const person = await estate.join('ours', 'operator')
        const { cookie } = person
        const stream = await openStream(estate, jobId, cookie)
        expect((await caller.call(`/servers/${serverId}`, { cookie })).text, how).toContain(estate.serverName)
        await lose(estate, person)
        const lost = Date.now()
        const ended = stream.done.then(() => Date.now() - lost)
        const page = await caller.call(`/servers/${serverId}`, { cookie })
        expect([how, page.status, page.headers.location]).toEqual([how, 307, expect.stringMatching(/^\/sign-in(\?back=[\w%.~-]+)?$/)])
        for (const path of [
          '/api/servers',
          `/api/jobs/${jobId}`,
          `/api/jobs/${jobId}/events`,
          `/api/operations/servers.summary?server=${serverId}`,
        ])
          expect([how, path, (await caller.call(path, { cookie })).status]).toEqual([how, path, 401])
        expect([how, codeOf(await install(estate, cookie))]).toEqual([how, 'signed_out'])
        expect(await Promise.race([ended, delay(20_000, Number.POSITIVE_INFINITY)]), how).toBeLessThanOrEqual(5_000)
      }),
    )
    expect(staying.closed).toBe(false)
    await staying.leave()
    // A row that no program writes breaks the pages that list members.
    await db().$executeRaw`DELETE FROM "Membership" WHERE "role" = 'caretaker'`
    expect(teams.ours.upstream.installStarts(teams.ours.upstream.model.servers.keys().next().value ?? '')).toBe(1)
  })

  test('security 16: a lowered role applies to the next action; pages and streams that the lower role may see stay open', async () => {
    const person = await estate.join('ours', 'operator')
    const stream = await openStream(estate, await addEndlessJob(estate, 'Endless-too-'), person.cookie)
    await db().membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } })
    await expectNoEffect(estate, async () => {
      expect(codeOf(await install(estate, person.cookie))).toBe('forbidden')
    })
    expect((await caller.call(`/api/jobs/${estate.jobId}`, { cookie: person.cookie })).status).toBe(200)
    // Longer than an open stream goes unchecked.
    await delay(6_000)
    expect(stream.closed).toBe(false)
    await stream.leave()
  })

  test('security 16: a session that ends while an action waits stops the action just before the service is called', async () => {
    const { cookie, sessionId } = await estate.join('ours', 'operator')
    using other = openSqliteFile(join(estate.place.dir, 'data/portal/portal.db'))
    // The action gets as far as its first write, the intent, and has to wait for this transaction.
    other.run('BEGIN IMMEDIATE')
    const calls = teams.ours.upstream.calls.length
    const answer = install(estate, cookie)
    expect(await Promise.race([answer, delay(2_000, 'waiting')])).toBe('waiting')
    other.run('UPDATE "Session" SET "revokedAt" = ? WHERE id = ?', [new Date().toISOString(), sessionId])
    other.run('COMMIT')
    expect(codeOf(await answer)).toBe('signed_out')
    expect(teams.ours.upstream.calls.length).toBe(calls)
    const rows = await db().auditRow.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } })
    expect(rows.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(['intent asked', 'event denied', 'outcome failed'])
  })
}
