import { expect, test } from 'vitest'
import { ageOf, hstsAges } from '@/app/_shared/sites/hsts'

const labels = (seconds: string) => hstsAges(seconds).map(({ label }) => label)

test('HSTS begins with five minutes, and grows by one step at a time', () => {
  expect(labels('0')).toEqual(['Off', '5 minutes'])
  expect(labels('300')).toEqual(['Off', '5 minutes', '1 week'])
  expect(labels('604800')).toEqual(['Off', '5 minutes', '1 week', '1 year'])
  expect(labels('31536000')).toEqual(['Off', '5 minutes', '1 week', '1 year'])
})

test('an age that somebody else chose is offered as it is', () => {
  expect(labels('86400')).toEqual(['Off', '5 minutes', '86400 seconds', '1 week'])
  expect(ageOf('86400').label).toBe('86400 seconds')
})
