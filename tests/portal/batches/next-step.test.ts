/** The order of a batch: so many at a time, one per server, and when no more begin. */
import { expect, test } from 'vitest'
import { type KnownTarget, nextStep } from '@/lib/portal/batches/next-step'

const targets = (...states: [state: KnownTarget['state'], place: string][]): KnownTarget[] =>
  states.map(([state, place], seq) => ({ seq, state, place }))

const goOn = { mode: 'goOn', atOnce: 2 } as const

test('targets begin in order, as many at a time as wanted, one per server', () => {
  expect(nextStep(goOn, targets(['waiting', 'a'], ['waiting', 'b']), false)).toEqual({ kind: 'begin', seq: 0 })
  expect(nextStep(goOn, targets(['running', 'a'], ['waiting', 'a'], ['waiting', 'b']), false)).toEqual({ kind: 'begin', seq: 2 })
  expect(nextStep(goOn, targets(['running', 'a'], ['running', 'b'], ['waiting', 'c']), false)).toEqual({ kind: 'wait' })
  expect(nextStep(goOn, targets(['running', 'a'], ['waiting', 'a']), false)).toEqual({ kind: 'wait' })
  expect(nextStep(goOn, targets(['done', 'a'], ['failed', 'b']), false)).toEqual({ kind: 'end' })
})

test('a closed batch waits for what runs, and begins nothing', () => {
  expect(nextStep(goOn, targets(['running', 'a'], ['waiting', 'b']), true)).toEqual({ kind: 'wait' })
  expect(nextStep(goOn, targets(['done', 'a'], ['waiting', 'b']), true)).toEqual({ kind: 'end' })
})

test.each(['failed', 'cancelled', 'unknown'] as const)('after a target that is %s, the modes differ', (bad) => {
  const later = targets(['done', 'a'], [bad, 'b'], ['waiting', 'c'])
  expect(nextStep(goOn, later, false)).toEqual({ kind: 'begin', seq: 2 })
  expect(nextStep({ mode: 'firstAlone', atOnce: 2 }, later, false)).toEqual({ kind: 'begin', seq: 2 })
  expect(nextStep({ mode: 'stopAtFailure', atOnce: 2 }, later, false)).toEqual({ kind: 'end' })
  expect(nextStep({ mode: 'firstAlone', atOnce: 2 }, targets([bad, 'a'], ['waiting', 'b']), false)).toEqual({ kind: 'end' })
})

test('the first target alone: the others begin once it is done', () => {
  const firstAlone = { mode: 'firstAlone', atOnce: 2 } as const
  expect(nextStep(firstAlone, targets(['running', 'a'], ['waiting', 'b']), false)).toEqual({ kind: 'wait' })
  expect(nextStep(firstAlone, targets(['done', 'a'], ['running', 'b'], ['waiting', 'c']), false)).toEqual({ kind: 'begin', seq: 2 })
})
