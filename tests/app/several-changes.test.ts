/** Several rows of a list deleted one by one, and one Undo for all of them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnyActionResult } from '@/app/_shared/forms/call-action'
import { operationRead } from '@/app/_shared/reads/read-address'
import { makeChanges, showAllDone } from '@/app/_shared/undo/several'
import type { Change } from '@/app/_shared/undo/undoable'
import { problem } from '@/lib/contract/problem'

const seen = vi.hoisted(() => ({
  mutate: vi.fn(async (_address: string) => undefined),
  undone: [] as string[],
  failing: new Set<string>(),
  said: [] as string[],
  undo: () => {},
}))
vi.mock('swr', () => ({ mutate: seen.mutate }))
vi.mock('@/app/_shared/undo/actions', () => ({
  undoChange: async (_previous: null, form: FormData): Promise<AnyActionResult> => {
    const id = String(form.get('undoId'))
    seen.undone.push(id)
    return seen.failing.has(id) ? { ok: false, problem: problem('changed_meanwhile') } : { ok: true, data: { message: '' } }
  },
}))
vi.mock('@/app/_ui/toast', () => {
  const say = (text: string) => seen.said.push(text)
  return { toast: Object.assign(say, { error: say }) }
})
vi.mock('@/app/_ui/undo-toast', () => ({
  offerUndo: (text: string, undo: () => void) => {
    seen.said.push(text)
    seen.undo = undo
  },
}))

beforeEach(() => vi.stubGlobal('navigator', { onLine: true }))
afterEach(() => {
  vi.unstubAllGlobals()
  seen.mutate.mockClear()
  seen.failing.clear()
  for (const list of [seen.undone, seen.said]) list.length = 0
})

/** Rows whose deletion answers its name as the undo; null where nothing brings it back, and `false` where it fails. */
function rows(answers: Readonly<Record<string, string | null | false>>): { changes: Change[]; deleted: string[] } {
  const deleted: string[] = []
  const action: Change['action'] = async (_previous, form) => {
    const name = String(form.get('name'))
    const undo = answers[name] ?? null
    if (undo === false) return { ok: false, problem: problem('upstream_failed') }
    deleted.push(name)
    return { ok: true, data: { undo } }
  }
  return { changes: Object.keys(answers).map((name) => ({ action, fields: { name } })), deleted }
}

test('the last row goes first, and rows that nothing brings back have no undo', async () => {
  const { changes, deleted } = rows({ one: 'undo one', two: null, three: 'undo three' })
  const counts: number[] = []
  expect(await makeChanges(changes, (made) => counts.push(made))).toEqual({
    ok: true,
    data: { made: 3, undos: ['undo three', 'undo one'], stopped: null },
  })
  expect(counts).toEqual([1, 2, 3])
  expect(deleted).toEqual(['three', 'two', 'one'])
})

test('the first that fails stops the rest; it is a failure only where nothing was deleted', async () => {
  const some = rows({ one: 'undo one', two: false, three: 'undo three' })
  const stopped = expect.objectContaining({ code: 'upstream_failed' })
  expect(await makeChanges(some.changes)).toEqual({ ok: true, data: { made: 1, undos: ['undo three'], stopped } })
  expect(some.deleted).toEqual(['three'])
  expect(await makeChanges(rows({ one: 'undo one', two: false }).changes)).toEqual({ ok: false, problem: stopped })
})

test('one Undo brings back all, the newest first, reads the list once, and tells which could not return', async () => {
  const aftermath = { noun: 'job', refetch: [operationRead('cron.list', { serverId: 'one' })] }
  showAllDone('3 jobs were deleted.', ['a', 'b', 'c'], aftermath)
  seen.undo()
  await vi.waitFor(() => expect(seen.said).toEqual(['3 jobs were deleted.', '3 jobs were restored.']))
  expect(seen.undone).toEqual(['c', 'b', 'a'])
  expect(seen.mutate).toHaveBeenCalledTimes(1)
  seen.failing.add('b')
  seen.undo()
  await vi.waitFor(() => expect(seen.said.at(-1)).toContain('1 job of 3 could not be restored: '))
  expect(seen.undone.slice(3)).toEqual(['c', 'b', 'a'])
  showAllDone('The job was deleted.', [], aftermath)
  expect(seen.said.at(-1)).toBe('The job was deleted.')
})
