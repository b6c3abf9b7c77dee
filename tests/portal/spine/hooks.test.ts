import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { everything } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Actor } from '@/lib/portal/identity/actor'
import { type OutcomeHooks, runHooks, type Sent } from '@/lib/portal/spine/hooks'
import { createSpine } from '@/lib/portal/spine/run-operation'
import { openDesk } from './desk'

/** An outcome of an operation on nothing: hooks of these tests look at no row. */
const sent = (operation: Sent['operation'], outcome: Sent['outcome']): Sent => ({
  operation,
  outcome,
  fields: {},
  decision: {} as Sent['decision'],
})

const done = { ok: true, data: { success: true, items: [{ id: '7' }] } } as const

test('hooks run in order, those for each operation first; one that throws stops only its own subject', async () => {
  log.level = 'silent'
  const ran: string[] = []
  const note = (name: string) => async () => void ran.push(name)
  const broken: OutcomeHooks = {
    each: () => Promise.reject(new Error('a table is locked')),
    after: { 'servers.update': note('never') },
  }
  const whole: OutcomeHooks = { each: note('each'), after: { 'servers.update': note('after'), 'servers.delete': note('another') } }
  expect(await runHooks([broken, whole], sent(contract.servers.update, done))).toBeNull()
  expect(ran).toEqual(['each', 'after'])
})

test('the id of what an operation created is returned when it succeeded, and not when it failed', async () => {
  const making: OutcomeHooks = { made: { 'servers.create': async ({ answer }) => `row of ${answer.items[0].id}` } }
  expect(await runHooks([making], sent(contract.servers.create, done))).toBe('row of 7')
  expect(await runHooks([making], sent(contract.servers.create, { ok: false, problem: problem('outcome_unknown') }))).toBeNull()
  expect(await runHooks([making], sent(contract.servers.update, done))).toBeNull()
})

test('a token and Gatehouse itself pass the same decision by a grant to their role, and may run nothing yet', async () => {
  await using desk = await openDesk('operator')
  const { upstream, serverId, actor } = desk
  const { runOperation } = createSpine([])
  const { team, role } = actor
  await db().grant.create({ data: { teamId: team.id, role, ...everything(createOpaqueId(), '') } })
  const before = upstream.calls.length
  const others: Actor[] = [
    { kind: 'token', token: { id: 'token-1', name: 'deploys' }, team, role },
    { kind: 'system', team, role },
  ]
  for (const other of others) {
    const outcome = await runOperation(other, contract.servers.setHostname, { serverId }, { hostname: 'new.example.org' })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  }
  expect(upstream.calls.length).toBe(before)
  const rows = await db().auditRow.findMany({ where: { action: contract.servers.setHostname.id }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ actorKind, actorId, stage }) => [actorKind, actorId, stage])).toEqual([
    ['token', 'token-1', 'intent'],
    ['token', 'token-1', 'event'],
    ['token', 'token-1', 'outcome'],
    ['gatehouse', null, 'intent'],
    ['gatehouse', null, 'event'],
    ['gatehouse', null, 'outcome'],
  ])
})
