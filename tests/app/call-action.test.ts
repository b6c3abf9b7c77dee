/** The one sender of server actions: once answered, lost, offline, or after the session ended. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnyActionResult, callAction } from '@/app/_shared/forms/call-action'
import { operationRead } from '@/app/_shared/reads/read-address'
import { settleSignIn, subscribeToSignIn } from '@/app/_shared/session/sign-in-request'
import { type Outcome, problem } from '@/lib/contract/problem'

const { mutate } = vi.hoisted(() => ({ mutate: vi.fn(async (_address: string) => undefined) }))
vi.mock('swr', () => ({ mutate }))

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async () => new Response())
})
afterEach(() => {
  vi.unstubAllGlobals()
  mutate.mockClear()
})

const done = { ok: true, data: 'done' } as const
const refused = (code: 'signed_out' | 'invalid'): Outcome<string> => ({ ok: false, problem: problem(code) })

/** An action that gives these answers one after the other, and what it was sent. */
function script(...answers: readonly (Outcome<string> | Error)[]) {
  const sent: Record<string, FormDataEntryValue>[] = []
  const action = async (_previous: null, form: FormData): Promise<AnyActionResult> => {
    sent.push(Object.fromEntries(form))
    const answer = answers[sent.length - 1] ?? done
    if (answer instanceof Error) throw answer
    return answer
  }
  return { action, sent }
}

const failed = { ok: false, problem: expect.objectContaining({ code: 'outcome_unknown' }) }

test('each call has a request id of its own, and the named reads are repeated, whatever the result', async () => {
  const refetch = [operationRead('cron.list', { serverId: 'one' })]
  const { action, sent } = script(done, refused('invalid'))
  expect(await callAction(action, { line: 'a' }, { refetch })).toEqual(done)
  expect(await callAction(action, { line: 'a' }, { refetch })).toEqual(refused('invalid'))
  expect(sent.map(({ line }) => line)).toEqual(['a', 'a'])
  expect(sent[0]?.requestId).toMatch(/^[0-9a-f]{32}$/)
  expect(sent[0]?.requestId).not.toBe(sent[1]?.requestId)
  expect(mutate.mock.calls).toEqual([['/api/operations/cron.list?server=one'], ['/api/operations/cron.list?server=one']])
})

test('a lost answer is an unknown outcome, reported before the reads; for repeatable actions the portal is just unreachable', async () => {
  const lost = new TypeError('Failed to fetch')
  const refetch = [operationRead('cron.list', { serverId: 'one' })]
  const onAnswer = vi.fn(async () => expect(mutate).not.toHaveBeenCalled())
  expect(await callAction(script(lost).action, {}, { refetch, onAnswer })).toEqual(failed)
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(failed)
  expect(mutate).toHaveBeenCalledOnce()
  const away = await callAction(script(lost).action, {}, { repeatable: true })
  expect(away).toEqual({ ok: false, problem: problem('upstream_unreachable', { sentence: 'Gatehouse is unreachable.' }) })
})

test('a proxy that changes the Host header is named, because nothing was done then', async () => {
  const refusal = problem('host_rewritten')
  expect(await callAction(script(new Error(refusal.sentence)).action, {})).toEqual({ ok: false, problem: refusal })
})

test('what an offline browser submits was not sent', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const answer = await callAction(script(new TypeError('Failed to fetch')).action, {})
  expect(answer).toMatchObject({ ok: false, problem: { sentence: 'You are offline. Nothing was sent.' } })
})

test('if the session has ended the same form is sent again after the password, and only then', async () => {
  let asked = () => {}
  const leave = subscribeToSignIn(() => asked())
  const untilAsked = () => new Promise<void>((resolve) => (asked = resolve))
  const { action, sent } = script(refused('signed_out'), done)
  const answered = callAction(action, { line: 'a' })
  await untilAsked()
  expect(sent).toHaveLength(1)
  settleSignIn(true)
  expect(await answered).toEqual(done)
  expect(sent[1]).toEqual(sent[0])

  const other = script(refused('signed_out'), done)
  const left = callAction(other.action, {}, { refetch: [operationRead('cron.list', { serverId: 'one' })] })
  await untilAsked()
  settleSignIn(false)
  expect(await left).toEqual(refused('signed_out'))
  expect(other.sent).toHaveLength(1)
  expect(mutate).not.toHaveBeenCalled()
  leave()
})
