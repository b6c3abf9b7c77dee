/** Transactions that a refusal undoes. */
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { inTransaction, isTaken } from '@/lib/portal/base/transaction'
import type { Prisma } from '@/prisma/generated/portal/client'
import { openPortalDatabase } from '@/tests/support/portal-database'

const team = (id: string) => ({ data: { id, name: 'Reiher' } })
const kept = async (): Promise<string[]> => (await db().team.findMany({ where: { name: 'Reiher' } })).map(({ id }) => id)
const refusal = { ok: false, problem: problem('forbidden', { sentence: 'No.' }) } as const

test('a success keeps what was written; a refusal is returned as it is, and undoes it', async () => {
  await using _ = await openPortalDatabase()
  const first = await inTransaction(async (tx) => ({ ok: true, data: (await tx.team.create(team('first'))).id }))
  expect(first).toEqual({ ok: true, data: 'first' })
  const second = await inTransaction(async (tx) => {
    await tx.team.create(team('second'))
    return refusal
  })
  expect(second).toEqual(refusal)
  expect(await kept()).toEqual(['first'])
})

test('a value that is taken is the given problem, else an error; other errors are thrown and undo what was written', async () => {
  await using _ = await openPortalDatabase()
  await db().team.create(team('first'))
  const add = async (tx: Prisma.TransactionClient) => ({ ok: true, data: await tx.team.create(team('first')) }) as const
  expect(await inTransaction(add, { taken: refusal.problem })).toEqual(refusal)
  expect(await inTransaction(add).catch(isTaken)).toBe(true)
  const failed = inTransaction(
    async (tx) => {
      await tx.team.create(team('second'))
      throw new Error('broken')
    },
    { taken: refusal.problem },
  )
  await expect(failed).rejects.toThrow('broken')
  expect([isTaken(new Error('broken')), isTaken('P2002')]).toEqual([false, false])
  expect(await kept()).toEqual(['first'])
})

test('a row about something that is gone is refused as changed meanwhile, in the given words, and undoes what was written', async () => {
  await using _ = await openPortalDatabase()
  const add = async (tx: Prisma.TransactionClient) => {
    await tx.team.create(team('first'))
    return { ok: true, data: await tx.membership.create({ data: { teamId: 'first', userId: 'nobody', role: 'guest' } }) } as const
  }
  expect(await inTransaction(add)).toEqual({ ok: false, problem: problem('changed_meanwhile') })
  expect(await inTransaction(add, { gone: refusal.problem })).toEqual(refusal)
  expect(await kept()).toEqual([])
})
