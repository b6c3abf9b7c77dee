import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { longJson } from '@/lib/portal/request/long-json'

const asking = (accepted: string) => new Request('http://localhost/', { headers: { 'accept-encoding': accepted } })
const long = { names: Array.from({ length: 1000 }, (_, n) => `server-${n}`) }

test('a long answer is packed for those who take it, and reads the same', async () => {
  const answer = await longJson(asking('br, gzip'), long)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(gunzipSync(new Uint8Array(await answer.arrayBuffer())).toString())).toEqual(long)
})

test.each([
  ['', long],
  ['identity', long],
  ['gzip;q=0', long],
  ['gzip', { same: true }],
])('for %j an answer stays as it is where packing is not asked for or not worth it', async (accepted, value) => {
  const answer = await longJson(asking(accepted), value)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(await answer.json()).toEqual(value)
})
