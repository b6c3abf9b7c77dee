import { expect, test } from 'vitest'
import { comparePlace, placeRules } from '@/lib/portal/subjects/firewall/order'

test('the place of a rule among 20,000 is found without blocking everybody else', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => ({
    ...{ id: `${index}`, port: `app ${index}`, protocol: 'tcp', v6: '', action: 'allow', from: 'any' },
  }))
  const deleted = before.slice(-1)
  const began = performance.now()
  expect(comparePlace(deleted, before, before.slice(0, -1))).toBe('keeps')
  expect(placeRules(deleted, before, before.slice(0, -1))).toEqual(['end'])
  expect(performance.now() - began).toBeLessThan(5_000)
})
