import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { reads } from '@/app/api/reads'
import { findRead, offerReads } from '@/lib/portal/entry/front/reads'

/** Answers with what it was asked for. */
const echo = async (request: Request, { params }: { params: Promise<unknown> }) =>
  Response.json({ path: new URL(request.url).pathname, params: (await params) ?? {} })

/** The first read of all is Next's to answer; so is this one, until they are there. */
async function offer(paths: readonly string[]): Promise<void> {
  offerReads(async () => Object.fromEntries(paths.map((path) => [path, echo])))
  expect(findRead('/api/first')).toBeNull()
  await vi.waitFor(() => expect(findRead('/api/known')).not.toBeNull())
}

async function ask(path: string): Promise<unknown> {
  const read = findRead(path)
  return read && (await read(new Request(`http://localhost${path}`))).json()
}

test('a path is answered by the matching read, with the values of its placeholders', async () => {
  await offer(['/api/known', '/api/jobs/[jobId]', '/api/jobs/[jobId]/events', '/api/operations/[id]'])
  expect(await ask('/api/known')).toEqual({ path: '/api/known', params: {} })
  expect(await ask('/api/jobs/j%201/events')).toMatchObject({ params: { jobId: 'j 1' } })
  expect(await ask('/api/operations/servers.summary')).toMatchObject({ params: { id: 'servers.summary' } })
})

test.each([
  '/api/known/',
  '/api//known',
  '/API/known',
  '/x/api/known',
  '/api/jobs/',
  '/api/jobs/a/b',
  '/api/jobs/%E0%A4%A',
  'http://localhost/api/known',
  '/api/auth/session',
  '/servers',
  '',
])('%j is Next’s', async (path) => {
  await offer(['/api/known', '/api/jobs/[jobId]'])
  expect(findRead(path)).toBeNull()
})

test('reads that cannot be loaded are left to Next, and are requested once', async () => {
  const load = vi.fn(async () => Promise.reject(new Error('gone')))
  offerReads(load)
  for (let time = 0; time < 3; time += 1) expect(findRead('/api/known')).toBeNull()
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
})

test('every route for signed-in users is included, with its own GET', async () => {
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('route.ts'))
  const guarded = files.filter((name) => readFileSync(`app/api/${name}`, 'utf8').includes('guardedGet('))
  expect(Object.keys(reads).sort()).toEqual(guarded.map((name) => `/api/${name.replace('/route.ts', '')}`).sort())
  for (const [path, read] of Object.entries(reads)) {
    const { GET } = await import(/* @vite-ignore */ resolve(`app${path}/route.ts`))
    expect(read, path).toBe(GET)
  }
})
