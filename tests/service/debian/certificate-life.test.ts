/** When a certificate is renewed and when its end is an alert: certificate.bash, run by this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('sites/certificate.bash')

const day = 86_400

/** What is said of a certificate of so many days, so many of which have passed. */
function judge(days: number, passed: number): string {
  const times = `$((EPOCHSECONDS - ${Math.round(passed * day)})) $((EPOCHSECONDS + ${Math.round((days - passed) * day)}))`
  const asked = `${script}\ncertificate=/etc/hostname; certificate_times() { echo "${times}"; }
    is_fresh && echo fresh || echo due; is_ending ${times} && echo ending || echo lasting`
  return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().replace('\n', ' ')
}

test.each([
  [90, 53, 'fresh lasting'],
  [90, 55, 'due lasting'],
  [90, 61, 'due ending'],
  [45, 26, 'fresh lasting'],
  [45, 28, 'due lasting'],
  [45, 31, 'due ending'],
  [6, 2.9, 'fresh lasting'],
  [6, 3.1, 'due lasting'],
  [6, 4.1, 'due ending'],
  [90, 91, 'due ending'],
])('of %d days, after %d: %s', (days, passed, said) => {
  expect(judge(days, passed)).toBe(said)
})
