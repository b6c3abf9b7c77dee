import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgetProcessState, processState } from '@/lib/portal/base/process-state'

test('state exists once per name and process, is made at its first use, and a restart forgets it unless it stays', () => {
  let made = 0
  const counted = processState('test: counted', () => ({ nth: ++made }))
  const other = processState('test: counted', () => ({ nth: ++made }))
  const staying = processState('test: staying', () => ({ nth: ++made }), { stays: true })
  expect(made).toBe(0)
  expect([counted(), other(), staying()]).toEqual([{ nth: 1 }, { nth: 1 }, { nth: 2 }])
  expect(counted()).toBe(other())
  forgetProcessState()
  expect([counted(), staying()]).toEqual([{ nth: 3 }, { nth: 2 }])
})

test('all process-wide state of the portal has a name and is stored nowhere else', () => {
  const files = readdirSync('lib/portal', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const sources = files.map((name) => ({ name, text: readFileSync(join('lib/portal', name), 'utf8') }))
  const names = sources.flatMap(({ text }) => [...text.matchAll(/processState\(\s*'([^']+)'/g)].map(([, name]) => name))
  expect(names.length).toBeGreaterThan(20)
  expect(new Set(names).size).toBe(names.length)
  // Three exchange values with main.mjs, which is no part of Next's bundles.
  const onProcess = sources.filter(({ text }) => text.includes('globalThis')).map(({ name }) => name)
  expect(onProcess.sort()).toEqual(['base/build-id.ts', 'base/process-state.ts', 'entry/front/front.ts', 'entry/start.ts'])
})
