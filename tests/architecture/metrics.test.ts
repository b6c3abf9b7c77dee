/** docs/running.md names each metric of both halves: an alarm on a metric that nobody knows is never written. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')

test.each([
  ['the portal', 'lib/portal/base/figures.ts', 11],
  ['the service', 'lib/service/metrics.ts', 7],
])('each metric of %s is documented', (_, source, number) => {
  const names = [...read(source).matchAll(/\('((?:gatehouse|process)_\w+)'/g)].map(([, name = '']) => name)
  expect(names).toHaveLength(number)
  const guide = read('docs/running.md')
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
