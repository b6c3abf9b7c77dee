import { expect, test } from 'vitest'
import { comparePlace, placeRules } from '@/lib/portal/subjects/firewall/order'

test('the place of a rule among 20,000 is found by reading each rule a few times', () => {
  let reads = 0
  const before = Array.from({ length: 20_000 }, (_, index) => ({
    id: `${index}`,
    protocol: 'tcp',
    v6: '',
    action: 'allow',
    from: 'any',
    get port() {
      reads += 1
      return `app ${index}`
    },
  }))
  const deleted = before.slice(-1)
  expect(comparePlace(deleted, before, before.slice(0, -1))).toBe('keeps')
  expect(placeRules(deleted, before, before.slice(0, -1))).toEqual(['end'])
  expect(reads / before.length).toBeLessThan(100)
})
