import { expect, test } from 'vitest'
import { parseSettings, SettingsError } from '@/lib/settings/settings'

test('without settings a read may take 30 s, a change 60 s and a job 12 hours', () => {
  const { readMs, changeMs, jobMs } = parseSettings({}, '/')
  expect([readMs, changeMs, jobMs]).toEqual([30_000, 60_000, 43_200_000])
})

test('READ_SECONDS, CHANGE_SECONDS and JOB_HOURS say how long the portal waits for a service', () => {
  const { readMs, changeMs, jobMs } = parseSettings({ READ_SECONDS: '5', CHANGE_SECONDS: '300', JOB_HOURS: '2' }, '/')
  expect([readMs, changeMs, jobMs]).toEqual([5_000, 300_000, 7_200_000])
})

const refused = ['READ_SECONDS', 'CHANGE_SECONDS'].flatMap((name) =>
  ['0', '4', '601', '7.5', 'long'].map((value) => [name, value] as const),
)

const refusedHours = ['0', '169', '1.5'].map((value) => ['JOB_HOURS', value] as const)

test.each([...refused, ...refusedHours])('%s=%s is refused by name', (name, value) => {
  expect(() => parseSettings({ [name]: value }, '/')).toThrow(SettingsError)
  expect(() => parseSettings({ [name]: value }, '/')).toThrow(new RegExp(`^${name} `))
})
