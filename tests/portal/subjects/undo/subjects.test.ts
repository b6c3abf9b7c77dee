/** What undoes a change is kept for any subject: bound to it, visible with it and forgotten with it. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findVisible } from '@/lib/portal/subjects/undo/visible'
import { dropUndos, keepUndo, openInverse } from '@/lib/portal/subjects/undoable/kept'
import { kept, undoKind } from '@/lib/portal/subjects/undoable/kind'
import { type Subject, targetOf } from '@/lib/portal/subjects/undoable/subject'
import { createTeam } from '@/tests/support/portal-team'
import { openDesk } from '../../spine/desk'

const rename = undoKind({
  name: 'test.rename',
  schema: z.object({ name: z.string() }),
  summary: 'Gives the old name back.',
  plain: true,
  needs: contract.servers.update,
  page: ({ id }) => ({ href: `/${id}`, label: 'Subject' }),
  revert: async (_actor, _taking, { name }) => ({ ok: true, data: { message: name } }),
})

const kinds = ['server', 'site', 'connection'] as const

test.each(kinds)('a change of a %s', async (kind) => {
  await using desk = await openDesk('operator')
  const { actor, serverId } = desk
  const connection = await db().connection.findFirstOrThrow()
  const server = await db().server.findFirstOrThrow()
  const site = {
    id: createOpaqueId(),
    teamId: actor.team.id,
    origin: server.origin,
    upstreamId: '7',
    domain: 'a.test',
    listedAt: new Date(),
  }
  await db().site.create({ data: { ...site, connections: { create: { connectionId: connection.id, provenAt: new Date() } } } })
  const subject: Subject = { kind, id: { server: serverId, site: site.id, connection: connection.id }[kind] }
  expect(targetOf(subject)).toEqual({ [`${kind}Id`]: subject.id })

  const id = await keepUndo(actor, { requestId: createOpaqueId(), subject }, kept(rename, { name: 'before' }))
  const row = await db().undo.findUniqueOrThrow({ where: { id: id ?? '' } })
  expect(row).toMatchObject({ subjectKind: kind, subjectId: subject.id, kind: 'test.rename' })
  expect(await openInverse(row)).toEqual({ kind: 'test.rename', name: 'before' })
  for (const subjectKind of kinds.filter((other) => other !== kind)) expect(await openInverse({ ...row, subjectKind })).toBeNull()

  expect([...(await findVisible(actor, [subject]))]).toEqual([subject.id])
  const stranger = await (await createTeam('Theirs')).join('owner')
  expect([...(await findVisible(stranger, [subject]))]).toEqual([])
  await dropUndos(subject)
  expect(await db().undo.count()).toBe(0)
})
