/** Labels that give access cannot be found out by somebody who may not see or change what they are on. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listKnownLabels } from '@/lib/portal/subjects/labels/access-labels'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { give, openScene } from './scene'

const secret = 'client: kaffee'

/** A label that gives another guest access to the second server, and an operator who may change nothing but the first. */
async function openLabels() {
  const scene = await openScene()
  const [guest, other] = [await scene.team.join('guest'), await scene.team.join('guest')]
  await give(other, { kind: 'label', name: secret })
  const [seen, hidden] = ['heron-1', 'otter-1'].map(scene.idOf)
  const label = (name: string, subjectId = '') => ({ teamId: scene.team.id, subjectKind: 'server' as const, subjectId, name })
  await db().label.createMany({ data: [label(secret, hidden), label('production', seen), label('quiet', hidden)] })
  return { scene, guest, seen: seen ?? '', hidden: hidden ?? '' }
}

const attempt = (actor: Person, change: 'add' | 'remove', serverId: string, label: string) =>
  changeLabels(actor, { change, subjectKind: 'server', subjectIds: [serverId], label })

test('security 3: whoever may not change a server gets the same refusal for a label that gives access and for any other', async () => {
  const { scene, guest, seen, hidden } = await openLabels()
  await using _ = scene
  await give(guest, { kind: 'server', id: seen })
  for (const change of ['add', 'remove'] as const) {
    for (const serverId of [seen, hidden, 'x'.repeat(22)]) {
      const [giving, plain, none] = await Promise.all(
        [secret, 'quiet', 'never used'].map((label) => attempt(guest, change, serverId, label)),
      )
      expect([change, serverId, giving]).toEqual([change, serverId, plain])
      expect([change, serverId, giving]).toEqual([change, serverId, none])
      expect(giving?.ok).toBe(false)
    }
  }
})

test('security 3: taking off a label that a server does not carry says nothing about whether it gives access', async () => {
  const { scene, guest, seen } = await openLabels()
  await using _ = scene
  await give(guest, { kind: 'server', id: seen }, { effects: ['read', 'change'] })
  const [giving, plain] = [await attempt(guest, 'remove', seen, secret), await attempt(guest, 'remove', seen, 'quiet')]
  expect(plain).toEqual({ ok: true, data: { label: 'quiet', changed: 0 } })
  expect(giving).toEqual({ ok: true, data: { label: secret, changed: 0 } })
})

test('security 3: of the labels that give access, only those on what a member sees are marked or suggested', async () => {
  const { scene, guest, seen, hidden } = await openLabels()
  await using _ = scene
  await give(guest, { kind: 'server', id: seen })
  expect(await listKnownLabels(guest)).toEqual({ known: ['production'], giving: [] })
  await give(guest, { kind: 'server', id: hidden })
  expect(await listKnownLabels(guest)).toEqual({ known: [secret, 'production', 'quiet'], giving: [secret] })
})
