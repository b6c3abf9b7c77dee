import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { decodeAnswer, type Reply } from '@/lib/contract/answer'
import { decodeLargeAnswer, maxItems } from '@/lib/contract/large-answer'

const atOnce = () => Promise.resolve()
const reply = (body: unknown): Reply => ({
  status: 200,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const list = contract.servers.list
const item = (id: number, more: object = {}) => ({ id: `${id}`, name: `"][{,}\\ ${id}`, hostname: '', dns: null, ...more })
const items = (count: number) => Array.from({ length: count }, (_, id) => item(id))
// Long enough to be read in slices.
const filler = 'x'.repeat(40_000)

test('whatever the length of a list and the text around it, it is read as at once', async () => {
  const lists = fc.oneof(
    fc.integer({ min: 0, max: 2_000 }).map((count): unknown => items(count)),
    fc.integer({ min: 0, max: 1_200 }).map((count): unknown => ({ ...items(count) })),
    fc.constantFrom<unknown>(null, '', item(1), [item(1)]),
  )
  const body = fc.record({
    success: fc.constantFrom(true, true, true, false),
    items: lists,
    filler: fc.constant(filler),
    error: fc.constant('No.'),
  })
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('', '\uFEFF'), async (members, space, mark) => {
      const text = mark + JSON.stringify(members, null, space)
      expect(await decodeLargeAnswer(list, reply(text), atOnce)).toEqual(decodeAnswer(list, reply(text)))
    }),
    { numRuns: 40 },
  )
})

test('short lists beside a long one stand once', async () => {
  const { fetch } = contract.logs
  const body = { success: true, filler, content: 'one\ntwo', others: items(600) }
  expect(await decodeLargeAnswer(fetch, reply(body), atOnce)).toEqual(decodeAnswer(fetch, reply(body)))
})

test.each([
  ['an array', (count: number): unknown => items(count)],
  ['an object keyed by numbers', (count: number): unknown => ({ ...items(count) })],
])('the first 20,000 items of %s are used, and the total is reported', async (_, make) => {
  const whole = await decodeLargeAnswer(list, reply({ success: true, items: make(maxItems) }), atOnce)
  if (!whole.ok) throw new Error(whole.problem.sentence)
  expect([whole.data.items.length, whole.cut]).toEqual([maxItems, undefined])
  const more = await decodeLargeAnswer(list, reply({ success: true, items: make(maxItems + 1) }), atOnce)
  expect(more).toEqual({ ...whole, cut: { shown: maxItems, total: maxItems + 1 } })
})

test('what is not JSON, repeats a name or is too deep is not understood, however long, and never throws', async () => {
  const good = JSON.stringify({ success: true, items: items(700), filler })
  const bad = [
    good.slice(0, -1),
    good.replace('{"id":"5"', '{"id":"5","id":"6"'),
    good.replace('{"id":"5"', '{"__proto__":1,"id":"5"'),
    good.replace('{"id":"5"', `{"deep":${'['.repeat(40)}${']'.repeat(40)},"id":"5"`),
    good.replace('{"id":"5"', ',{"id":"5"'),
    good.replace('{"id":"5"', '{{"id":"5"'),
    good.replace('{"id":"5"', '{"id":["5"'),
    `[${good}]`,
    `"${filler}"`,
    filler,
  ]
  for (const text of bad) {
    expect(await decodeLargeAnswer(list, reply(text), atOnce), text.slice(0, 80)).toMatchObject({
      ok: false,
      problem: { code: 'upstream_not_understood' },
    })
  }
})

test('a long answer lets everything else have its turn', async () => {
  let turns = 0
  const turn = async () => {
    turns += 1
  }
  await decodeLargeAnswer(list, reply({ success: true, items: items(5_000) }), turn)
  expect(turns).toBeGreaterThan(10)
})

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, number) => [`n${number}`, 0]))

test.each([
  ['an object of 60,000 names', { success: true, items: [], more: names(60_000) }],
  ['60,000 names at the top', { success: true, items: [], ...names(60_000) }],
  ['an item that holds 70,000 objects', { success: true, items: [item(1, { more: Array.from({ length: 70_000 }, () => ({})) })] }],
  ['a list in an item of 1,200,000 numbers', { success: true, items: [item(1, { more: Array.from({ length: 1_200_000 }, () => 0) })] }],
])('%s is refused before it is parsed, since that would stop everything else', async (_, body) => {
  expect(await decodeLargeAnswer(list, reply(body), atOnce)).toMatchObject({ ok: false, problem: { code: 'upstream_not_understood' } })
})
