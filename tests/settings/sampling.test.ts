import { expect, test } from 'vitest'
import { parseSettings, SettingsError } from '@/lib/settings/settings'

test.each([
  [undefined, 300_000],
  ['', 300_000],
  ['0', null],
  ['2', 2_000],
  ['3600', 3_600_000],
])('SAMPLE_SECONDS=%s means %s ms', (given, ms) => {
  expect(parseSettings({ SAMPLE_SECONDS: given }, '/').sampleEveryMs).toBe(ms)
})

test.each(['1', '-5', '3601', '2.5', 'often'])('SAMPLE_SECONDS=%s is refused by name', (given) => {
  expect(() => parseSettings({ SAMPLE_SECONDS: given }, '/')).toThrow(SettingsError)
  expect(() => parseSettings({ SAMPLE_SECONDS: given }, '/')).toThrow(/^SAMPLE_SECONDS /)
})
