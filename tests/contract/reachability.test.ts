import { expect, test } from 'vitest'
import { type ProblemCode, problem, problemKinds } from '@/lib/contract/problem'
import { placeOfFailure, reachable, resolveReachability, serverStateOf } from '@/lib/contract/reachability'

const [earlier, later] = ['2026-11-22T10:00:00.000Z', '2026-11-22T10:05:00.000Z']
const at = { checkedAt: later, seenAt: earlier }

test('only four problems are failures at the server; the session, the network, the key and the service stand between', () => {
  const codes = Object.keys(problemKinds) as ProblemCode[]
  expect(codes.filter((code) => placeOfFailure({ code }) === 'server')).toEqual([
    'host_key_changed',
    'login_failed',
    'unreachable',
    'too_slow',
  ])
  for (const code of ['signed_out', 'internal', 'key_rejected', 'key_locked', 'no_connection', 'upstream_unreachable'] as const)
    expect(placeOfFailure({ code }), code).toBe('between')
  for (const code of codes.filter((one) => one.startsWith('upstream_'))) expect(placeOfFailure({ code }), code).toBe('between')
  for (const code of ['not_installed', 'busy', 'not_found', 'forbidden'] as const) expect(placeOfFailure({ code }), code).toBe('elsewhere')
})

test('a server is unreachable since the first check that failed at it, and unknown once a check does not come as far', () => {
  const failed = resolveReachability(reachable, problem('too_slow'), at)
  expect(failed).toEqual({ kind: 'unreachable', since: later, why: 'The server didn’t respond in time.', seenAt: earlier })
  const still = resolveReachability(failed, problem('unreachable'), { checkedAt: 'much later', seenAt: 'much later' })
  expect(still).toMatchObject({ since: later, seenAt: earlier })
  // Last seen is when it was well, not when it was found broken.
  expect(resolveReachability(failed, problem('signed_out'), { checkedAt: 'x', seenAt: 'x' })).toEqual({ kind: 'unknown', seenAt: earlier })
  expect(resolveReachability(reachable, problem('upstream_too_slow'), at)).toEqual({ kind: 'unknown', seenAt: earlier })
  expect(resolveReachability(failed, problem('not_installed'), at)).toBe(failed)
  expect(resolveReachability(reachable, null, at)).toBe(reachable)
})

test('a server that is rebooting is no failure, and known as rebooting until the next check', () => {
  const rebooting = resolveReachability(reachable, problem('rebooting'), at)
  expect([placeOfFailure(problem('rebooting')), rebooting]).toEqual(['elsewhere', { kind: 'rebooting', seenAt: earlier }])
  expect(resolveReachability(rebooting, problem('unreachable'), at)).toMatchObject({ kind: 'unreachable', since: later, seenAt: earlier })
})

test('one state for chips, filters and counts: unknown before all, then an install, then unreachable where anything is installed', () => {
  const unknown = { kind: 'unknown', seenAt: null } as const
  const unreachable = { kind: 'unreachable', since: later, why: '', seenAt: null } as const
  const cases = [
    [{ state: 'ready', runningJobId: 'job', reach: unknown }, 'unknown'],
    [{ state: 'ready', runningJobId: 'job', reach: unreachable }, 'installing'],
    [{ state: 'ready', runningJobId: null, reach: unreachable }, 'unreachable'],
    [{ state: '', runningJobId: null, reach: unreachable }, 'unreachable'],
    [{ state: 'new', runningJobId: null, reach: unreachable }, 'new'],
    [{ state: 'ready', runningJobId: null, reach: { kind: 'rebooting', seenAt: null } }, 'rebooting'],
    [{ state: 'new', runningJobId: null, reach: { kind: 'rebooting', seenAt: null } }, 'new'],
    [{ state: '', runningJobId: null, reach: reachable }, 'listed'],
    [{ state: 'constructor', runningJobId: null, reach: reachable }, 'listed'],
  ] as const
  for (const [standing, state] of cases) expect(serverStateOf(standing)).toBe(state)
})
