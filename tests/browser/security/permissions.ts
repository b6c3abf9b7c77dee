/** Every action by every kind of member: done where the role allows it, refused without an effect everywhere else. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { type AccessActors, gatherAccessActors, grantAt, listOnlyBy, placeOf } from './access-actors'
import { type ActionAnswer, callAction, codeOf, Form, isRefused } from './action-call'
import type { Estate, Person } from './estate'
import { absentId } from './ids'
import { lapses } from './lapses'
import { extras, fewPayloads, payloads } from './payloads'
import { cases, elsewhere, type Fields, removeAdded } from './permission-cases'
import { expectNoEffect } from './traces'

/** From the least to the most powerful. */
const roles: readonly Role[] = ['viewer', 'operator', 'admin', 'owner']

/**
 * What must not grow because somebody sent `role=owner`: `cases` make nobody an owner, and change no owner but to a lower role. `joined`:
 * owners who do not count, because they joined as such.
 */
const countOwners = async (joined: string[]) => {
  const role = 'owner' as const
  return Promise.all([
    db().membership.count({ where: { role, userId: { notIn: joined } } }),
    db().invitation.count({ where: { role } }),
    db().connection.count({ where: { ownerId: absentId } }),
  ])
}

const nameOf = (title: string): string => title.split(' ')[0] ?? ''

export function permissions(estate: Estate): void {
  const call = (title: string, fields: Fields, { cookie }: Person, more: typeof extras | [] = []): Promise<ActionAnswer> =>
    callAction(estate.caller, estate.action(nameOf(title)), [null, new Form([...Object.entries(fields), ...more])], { cookie })

  /** Waits for the end of a job that an action started, because a job writes rows and calls its service until then. */
  const settle = async (answer: ActionAnswer) => {
    const { jobId } = (answer.value as { data?: { jobId?: string } }).data ?? {}
    if (jobId === undefined) return
    const outcomes = () => db().auditRow.count({ where: { requestId: jobId, stage: 'outcome' } })
    await expect.poll(outcomes, { timeout: 30_000 }).toBe(1)
    // Afterwards the lists are read again.
    const { calls } = estate.teams.ours.upstream
    for (let known = -1; known !== calls.length; await pause(300)) known = calls.length
  }

  test('security 23: every action of the build has a case here, or a reason why not', () => {
    const built = [...estate.actions.keys()].map((key) => key.split(' ').at(-1) ?? '')
    expect([...new Set([...Object.keys(cases).map(nameOf), ...Object.keys(elsewhere)])].sort()).toEqual(built.sort())
  })

  test.each(Object.entries(cases))(
    'security 23: %s is done for each role that may, and refused without effect for the others',
    async (title, { from, fields, code = 'ok' }) => {
      for (const role of roles) {
        const person = await estate.join('ours', role)
        const given = await fields(estate, person)
        const joined = role === 'owner' ? [person.userId] : []
        if (roles.indexOf(role) >= roles.indexOf(from)) {
          const before = await countOwners(joined)
          // The least of them also sends what a careless program would copy into a row.
          const answer = await call(title, given, person, role === from ? extras : [])
          const after = await countOwners(joined)
          expect([title, after.filter((count, place) => count > (before[place] ?? 0))]).toEqual([title, []])
          expect([role, codeOf(answer), answer.value]).toEqual([role, code, answer.value])
          await settle(answer)
        } else
          await expectNoEffect(estate, async () => {
            const odd = payloads(given)
            for (const what of fewPayloads) {
              const answer = await callAction(estate.caller, estate.action(nameOf(title)), odd[what] ?? [], { cookie: person.cookie })
              const refused = what === 'right fields' ? codeOf(answer) === 'forbidden' : isRefused(answer)
              expect([role, what, answer.status, answer.value, refused]).toEqual([role, what, answer.status, answer.value, true])
            }
          })
      }
    },
  )

  test.each(Object.entries(cases))(
    'security 23: %s is refused without effect for those who are no longer members or half signed in',
    async (title, { fields }) => {
      for (const [how, lose] of Object.entries(lapses)) {
        const person = await estate.join('ours', 'owner')
        const given = await fields(estate, person)
        await lose(person)
        await expectNoEffect(estate, async () => {
          expect([how, codeOf(await call(title, given, person))]).toEqual([how, 'signed_out'])
        })
      }
    },
  )

  let gathered: Promise<AccessActors> | undefined
  const actorsNow = () => {
    gathered ??= gatherAccessActors(estate)
    return gathered
  }

  /** Fields of a case whose place nothing but this connection lists. */
  const movedTo = async (connectionId: string, given: Fields): Promise<Fields> => {
    const place = placeOf(given)
    if (place) await listOnlyBy(connectionId, place)
    return given
  }

  test.each(Object.entries(cases))(
    'security 23: %s is done with a grant over the place and through a lent connection; without, elsewhere, after the end and frozen, refused',
    async (title, { from, fields, code = 'ok', guestCode = code, ofServer, alone }) => {
      const answered = async (person: Person, sent: Fields) => codeOf(await call(title, sent, person))
      if (from === 'viewer') {
        // What concerns nobody but themselves guests do as everybody does; some of it ends their sessions.
        const own = await estate.join('ours', 'guest')
        return expect(await answered(own, await fields(estate, own))).toBe(guestCode)
      }
      const { guest, elsewhere, expired, granted, borrower, frozen, ...connections } = await actorsNow()
      const given = await fields(estate, guest)
      const place = placeOf(given)
      const theirs = await movedTo(connections.frozenConnection, await fields(estate, frozen))
      await expectNoEffect(estate, async () => {
        const refusals = place ? ['not_found'] : ['forbidden', 'not_found']
        for (const [who, person] of Object.entries({ guest, elsewhere, expired })) {
          const came = await answered(person, given)
          expect([who, came, refusals.includes(came ?? '')]).toEqual([who, came, true])
        }
        if (place && !alone) expect(await answered(frozen, theirs)).toBe('key_frozen')
      })
      if (!place) return
      const grantId = await grantAt(estate, granted, ofServer ? { kind: 'server', id: estate.serverId } : place)
      const done = {
        granted: [granted, given],
        lent: [borrower, await movedTo(connections.lentConnection, await fields(estate, borrower))],
      } as const
      for (const [who, [person, sent]] of Object.entries(done)) {
        const answer = await call(title, sent, person)
        expect([who, codeOf(answer), answer.value]).toEqual([who, code, answer.value])
        await settle(answer)
      }
      await db().grant.delete({ where: { id: grantId } })
    },
  )

  afterAll(removeAdded)
}
