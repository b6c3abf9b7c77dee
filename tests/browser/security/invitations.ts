/** Invitations by HTTP: opening one is no acceptance, and a form gets no more than the invitation gives. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { createRowId, createToken, hashToken } from '@/lib/portal/identity/token'
import { callAction, Form } from './action-call'
import type { Sent } from './caller'
import { type Estate, person } from './estate'
import { expectNoEffect } from './traces'

/** As the owner would send it. */
async function invite({ teams, owner }: Estate, email: string, role: Role): Promise<string> {
  const token = createToken()
  const row = { teamId: teams.ours.id, email, role, tokenHash: hashToken(token), invitedById: owner.userId }
  await db().invitation.create({ data: { id: createRowId(), ...row, expiresAt: new Date(Date.now() + 3_600_000) } })
  return token
}

/** What browsers and scanners of mail do with a link before anybody clicks. */
const openings: Record<string, Sent> = {
  GET: {},
  HEAD: { method: 'HEAD' },
  rsc: { headers: { rsc: '1' } },
  prefetch: { headers: { rsc: '1', 'next-router-prefetch': '1', 'next-url': '/sign-in' } },
  'segment prefetch': { headers: { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' } },
  prerender: { headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' } },
}

const membershipsOf = (email: string) =>
  db().membership.findMany({ where: { user: { email } }, select: { teamId: true, role: true, user: { select: { email: true } } } })

export function invitations(estate: Estate): void {
  const { caller, teams } = estate

  test('security 19: opening an invitation in any way, signed in or not, changes nothing', async () => {
    const email = 'opened@lanternworks.test'
    const path = `/invite?token=${await invite(estate, email, 'viewer')}`
    const { cookie } = await estate.join('ours', 'viewer')
    await expectNoEffect(estate, async () => {
      for (const sent of Object.values(openings)) for (const who of [{}, { cookie }]) await caller.call(path, { ...sent, ...who })
    })
    // It was the page of a usable invitation.
    expect((await caller.call(path)).text).toContain(email)
    expect(await db().invitation.count({ where: { email, acceptedAt: null, revokedAt: null } })).toBe(1)
  })

  test('security 19: whatever else its form says, an invitation gives its own role in its own team to its own address', async () => {
    const email = 'invited@lanternworks.test'
    const token = await invite(estate, email, 'viewer')
    const others = await db().membership.count({ where: { user: { email: { not: email } } } })
    const former = await membershipsOf(person.email)
    const wished = { role: 'owner', teamId: teams.theirs.id, email: person.email, membershipEndsAt: '', userId: estate.owner.userId }
    const fields = new Form({ token, name: 'Ida Moor', password: 'Drei Kraniche ziehen nach Süden', ...wished })
    await callAction(caller, { ...estate.action('accept'), page: `/invite?token=${token}` }, [null, fields])
    expect(await membershipsOf(email)).toEqual([{ teamId: teams.ours.id, role: 'viewer', user: { email } }])
    expect(await membershipsOf(person.email)).toEqual(former)
    expect(await db().membership.count({ where: { user: { email: { not: email } } } })).toBe(others)
  })

  test('security 19: a member who may not invite sees that somebody is invited, but neither the link nor its hash', async () => {
    const email = 'listed@lanternworks.test'
    const token = await invite(estate, email, 'viewer')
    const { cookie } = await estate.join('ours', 'viewer')
    // The page contains what it was rendered from, too.
    const { text } = await caller.call('/team', { cookie })
    expect(text).toContain(email)
    for (const secret of [token, hashToken(token)]) expect(text.includes(secret)).toBe(false)
  })
}
