/** A page that the portal does not answer is not left for the browser's error page. */
import { expect, test, vi } from 'vitest'
import { keepingPage } from '@/app/_shared/opening/page-requests'

const forPage: RequestInit = { headers: { rsc: '1' } }

/** Whether it is still waiting after everything that was ready has run. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const still = Symbol('waiting')
  const found = await Promise.race([promise.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 0, still))])
  return found === still
}

test.each([
  ['nothing answers', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a gateway answers in its place', async () => new Response('Bad gateway', { status: 502 })],
])('if %s, the page stays, and the frame learns it', async (_, send) => {
  const onLost = vi.fn()
  expect(await isWaiting(keepingPage(send, onLost)('/servers', forPage))).toBe(true)
  expect(onLost).toHaveBeenCalledOnce()
})

test('answers are returned unchanged, refusals of the portal included', async () => {
  const onLost = vi.fn()
  for (const status of [200, 404, 500]) {
    const send = async () => new Response('', { status })
    expect((await keepingPage(send, onLost)('/servers', forPage)).status).toBe(status)
  }
  expect(onLost).not.toHaveBeenCalled()
})

test('reads, actions and aborted requests fail as usual', async () => {
  const onLost = vi.fn()
  const send = keepingPage(() => Promise.reject(new TypeError('Failed to fetch')), onLost)
  await expect(send('/api/counts', { headers: { accept: 'application/json' } })).rejects.toThrow('Failed to fetch')
  await expect(send('/servers')).rejects.toThrow('Failed to fetch')
  await expect(send('/servers', { ...forPage, signal: AbortSignal.abort() })).rejects.toThrow('Failed to fetch')
  expect(onLost).not.toHaveBeenCalled()
})
