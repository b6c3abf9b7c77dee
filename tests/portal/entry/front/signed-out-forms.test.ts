/** Forms of people who are not signed in are answered a few at a time. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forgetProcessState } from '@/lib/portal/base/process-state'
import { answerInTurn } from '@/lib/portal/entry/front/signed-out-forms'

const request = { headers: {} } as IncomingMessage
const response = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed }) as unknown as ServerResponse

test('two forms are answered at a time, in the order in which they came', async () => {
  forgetProcessState()
  const [order, running] = [[] as number[], { now: 0, most: 0 }]
  const answer = (index: number) => async () => {
    order.push(index)
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await delay(5)
    running.now -= 1
  }
  await Promise.all(Array.from({ length: 20 }, (_, index) => answerInTurn(request, response(), answer(index))))
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(running.most).toBe(2)
})

test('a form that waits for somebody else gives its turn on, and its error is still reported', async () => {
  forgetProcessState()
  let gone = false
  const fail = async () => {
    await delay(1000)
    gone = true
    throw new Error('the provider is gone')
  }
  const waiting = [0, 1].map(() => answerInTurn(request, response(), fail))
  const all = Promise.allSettled(waiting)
  expect(await answerInTurn(request, response(), () => null)).toBeNull()
  expect(gone).toBe(false)
  expect(await all).toMatchObject([0, 1].map(() => ({ status: 'rejected', reason: { message: 'the provider is gone' } })))
})

test('whoever has left is not answered any more', async () => {
  forgetProcessState()
  await answerInTurn(request, response(true), () => expect.unreachable())
})

test('security 28: of one network address fifty run or wait; more are refused with a sentence', async () => {
  forgetProcessState()
  const answers = await Promise.all(Array.from({ length: 60 }, () => answerInTurn(request, response(), () => delay(1))))
  expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(10)
  expect(answers.at(-1)).toMatchObject({ sentence: expect.stringMatching(/^Too many sign-ins/), headers: { 'Retry-After': '5' } })
  expect(await answerInTurn(request, response(), () => null)).toBeNull()
})
