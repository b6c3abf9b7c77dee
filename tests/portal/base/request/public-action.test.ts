import { redirect } from 'next/navigation'
import { beforeEach, expect, test, vi } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { openPortalDatabase } from '../../../support/portal-database'

const sent = new Headers()

vi.mock('next/headers', () => ({ headers: async () => sent }))

beforeEach(() => {
  for (const name of [...sent.keys()]) sent.delete(name)
})

function form(values: Record<string, string | Blob>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

const ran = vi.fn()
const action = publicAction(['email'], async (field) => {
  ran(field('email'), field('password'))
  return problem('invalid')
})

test('security 22: an action from another origin does nothing', async () => {
  await using _portal = await openPortalDatabase()
  for (const origin of ['https://evil.example', 'null', null]) {
    sent.delete('origin')
    if (origin !== null) sent.set('origin', origin)
    ran.mockClear()
    expect(await action(null, form({ email: 'ada@example.org' }))).toMatchObject({ ok: false, problem: { code: 'cross_origin' } })
    expect(ran).not.toHaveBeenCalled()
  }
})

test('a refused form is returned with the values that may be shown, never the password', async () => {
  await using _portal = await openPortalDatabase()
  sent.set('origin', 'http://localhost:3000')
  const result = await action(null, form({ email: 'ada@example.org', password: 'hunter2' }))
  expect(result).toEqual({ ok: false, problem: problem('invalid'), values: { email: 'ada@example.org' } })
})

test('security 23: anything sent in place of a form is read as empty text', async () => {
  await using _portal = await openPortalDatabase()
  sent.set('origin', 'http://localhost:3000')
  const hostile = [null, undefined, 1, 'text', {}, { get: () => 'forged' }, ['a'], form({ email: new Blob(['file']) })]
  for (const given of hostile) {
    ran.mockClear()
    await action(null, given as FormData)
    expect(ran).toHaveBeenCalledWith('', '')
  }
})

test('a redirect is passed on, an error is not', async () => {
  await using _portal = await openPortalDatabase()
  sent.set('origin', 'http://localhost:3000')
  const leaving = publicAction([], async () => redirect('/servers'))
  await expect(leaving(null, form({}))).rejects.toThrow('NEXT_REDIRECT')
  const failing = publicAction([], async () => Promise.reject(new Error('canary')))
  expect(JSON.stringify(await failing(null, form({})))).not.toContain('canary')
})
