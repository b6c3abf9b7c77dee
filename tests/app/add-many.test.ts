/** Several names added one after another, of which some are refused. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useAddMany } from '@/app/_shared/add-many/use-add-many'
import { problem } from '@/lib/contract/problem'

beforeEach(() => vi.stubGlobal('navigator', { onLine: true }))
afterEach(() => vi.unstubAllGlobals())

/** Adds the names, each of which says whether others follow, and then says that it is complete if it has to. */
async function add(names: readonly string[], refused: readonly string[]) {
  const sent: string[] = []
  const request: Parameters<typeof useAddMany>[0] = {
    action: async (_previous, form) => {
      const name = String(form.get('name'))
      sent.push(`${name} ${form.get('more')}`)
      return refused.includes(name) ? { ok: false, problem: problem('unsuitable') } : { ok: true, data: {} }
    },
    fieldsOf: (name, more) => ({ name, more: more ? '1' : '0' }),
    complete: async () => void sent.push('complete'),
    refetch: [],
  }
  const hooks: ReturnType<typeof useAddMany>[] = []
  renderToStaticMarkup(
    createElement(() => {
      hooks.push(useAddMany(request))
      return null
    }),
  )
  return { left: await hooks[0]?.add(names), sent }
}

test.each([
  [['a', 'b'], [], ['a 1', 'b 0']],
  [['a', 'b'], ['a'], ['a 1', 'b 0']],
  [['a', 'b'], ['b'], ['a 1', 'b 0', 'complete']],
  [
    ['a', 'b', 'c'],
    ['b', 'c'],
    ['a 1', 'b 1', 'c 0', 'complete'],
  ],
  [
    ['a', 'b'],
    ['a', 'b'],
    ['a 1', 'b 0'],
  ],
  [['a'], ['a'], ['a 0']],
])('%j without %j: what was added as if others followed is completed once the last one is refused', async (names, refused, sent) => {
  expect(await add(names, refused)).toEqual({ left: refused, sent })
})
