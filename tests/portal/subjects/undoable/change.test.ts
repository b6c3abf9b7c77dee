/** The order in which the parts of an undoable change run, and what is stored after each end. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '@/lib/contract'
import { type Outcome, type ProblemCode, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { undoableChange } from '@/lib/portal/subjects/undoable/change'
import { kept, undoKind } from '@/lib/portal/subjects/undoable/kind'
import { onServer } from '@/lib/portal/subjects/undoable/subject'
import { openDesk } from '../../spine/desk'

const rename = undoKind({
  name: 'test.rename',
  schema: z.object({ name: z.string() }),
  summary: 'Gives the old name back.',
  plain: true,
  needs: contract.servers.update,
  page: ({ id }) => ({ href: `/${id}`, label: 'Server' }),
  revert: async (_actor, _request, { name }) => ({ ok: true, data: { message: name } }),
})

const refuse = (code: ProblemCode) => ({ ok: false, problem: problem(code) }) as const

/** Renames a server whose former name is what `read` gives, and notes which parts ran and how many undos were stored at that time. */
async function openScene(role: Role) {
  const desk = await openDesk(role)
  const ran: string[] = []
  const note = async (part: string) => void ran.push(`${part}, stored: ${await db().undo.count()}`)
  const change = {
    read: { ok: true, data: 'before' } as Outcome<string>,
    restorable: true,
    made: { ok: true, data: { jobId: 'j' } } as Outcome<{ jobId: string }>,
  }
  return {
    ran,
    stored: async () => (await db().undo.findMany()).map(({ id, kind, subjectId }) => ({ id, kind, subjectId })),
    serverId: desk.serverId,
    make: (requestId: string, { read, restorable, made } = change, actor: Person = desk.actor) =>
      undoableChange(actor, onServer({ serverId: desk.serverId, requestId }), {
        operation: contract.servers.update,
        async read({ name }) {
          await note(`read ${name}`)
          return read
        },
        inverse: (name) => (restorable ? kept(rename, { name }) : null),
        async run(name, { server }) {
          await note(`run ${name} ${server?.name}`)
          return made
        },
      }),
    change,
    [Symbol.asyncDispose]: desk[Symbol.asyncDispose],
  }
}

test('the undo is stored between reading and running, under the id of the change, and the result is that of running with the undo', async () => {
  await using scene = await openScene('operator')
  const requestId = createOpaqueId()
  expect(await scene.make(requestId)).toEqual({ ok: true, data: { jobId: 'j', undo: requestId } })
  expect(scene.ran).toEqual(['read alpha, stored: 0', 'run before alpha, stored: 1'])
  expect(await scene.stored()).toEqual([{ id: requestId, kind: 'test.rename', subjectId: scene.serverId }])
})

test('without the permission nothing is read', async () => {
  await using scene = await openScene('viewer')
  expect(await scene.make(createOpaqueId())).toMatchObject(refuse('forbidden'))
  expect(scene.ran).toEqual([])
})

test('what reading refuses is not run, and nothing is stored', async () => {
  await using scene = await openScene('operator')
  expect(await scene.make(createOpaqueId(), { ...scene.change, read: refuse('changed_meanwhile') })).toMatchObject(
    refuse('changed_meanwhile'),
  )
  expect(scene.ran).toEqual(['read alpha, stored: 0'])
  expect(await scene.stored()).toEqual([])
})

test('a change that nothing can undo is made', async () => {
  await using scene = await openScene('operator')
  expect(await scene.make(createOpaqueId(), { ...scene.change, restorable: false })).toEqual({ ok: true, data: { jobId: 'j', undo: null } })
  expect(scene.ran).toEqual(['read alpha, stored: 0', 'run before alpha, stored: 0'])
})

test.each([
  ['busy', 0],
  ['outcome_unknown', 1],
] as const)('after %s as the end of a change, %i undos are stored', async (code, count) => {
  await using scene = await openScene('operator')
  expect(await scene.make(createOpaqueId(), { ...scene.change, made: refuse(code) })).toEqual(refuse(code))
  expect(scene.ran).toEqual(['read alpha, stored: 0', 'run before alpha, stored: 1'])
  expect(await scene.stored()).toHaveLength(count)
})
