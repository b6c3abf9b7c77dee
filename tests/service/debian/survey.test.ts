import { expect, test } from 'vitest'
import { readCredential } from '@/lib/service/machines/debian/admission/credential'
import { judgeSurvey } from '@/lib/service/machines/debian/admission/survey'
import { MachineFailure } from '@/lib/service/machines/machine'
import { createOwnKey, publicKeyOf } from '@/lib/service/ssh/private-key'

const survey = (os: string, version: string, more = 'systemd\tyes\nbecomes_root\tfreely\n') =>
  `os\t${os}\nversion\t${version}\nname\t${os} ${version}\nhostname\tlab\n${more}`

/** The code and first field of the problem with which the work ends. */
function problemOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof MachineFailure) return [error.problem.code, ...Object.keys(error.problem.fields ?? {})].join(' ')
    throw error
  }
  return 'fine'
}

test.each([
  ['debian', '12'],
  ['debian', '13'],
  ['ubuntu', '22.04'],
  ['ubuntu', '24.04'],
])('%s %s is supported', (os, version) => {
  expect(judgeSurvey(survey(os, version), 'anna')).toEqual({ hostname: 'lab', becomesRoot: 'freely' })
})

test.each([
  ['debian', '11'],
  ['debian', ''],
  ['ubuntu', '20.04'],
  ['alpine', '3.20'],
  ['constructor', '12'],
])('%s %s is refused, and the error names supported systems', (os, version) => {
  expect(problemOf(() => judgeSurvey(survey(os, version), 'anna'))).toBe('invalid host')
})

test('a server without systemd, and a user who cannot become root, are refused', () => {
  expect(problemOf(() => judgeSurvey(survey('debian', '12', 'becomes_root\titself\n'), 'root'))).toBe('invalid host')
  expect(problemOf(() => judgeSurvey(survey('debian', '12', 'systemd\tyes\nbecomes_root\tnever\n'), 'anna'))).toBe('login_failed')
})

test.each(['-rf', 'a b', 'ann:a', '%sudo', 'ALL', 'ALL,root', '../x', '#1', 'a'.repeat(40), 'root\nALL'])(
  'the user name %j is refused (57)',
  (user) => {
    expect(problemOf(() => readCredential({ host: 'h', port: 22, user, pass: 'secret' }))).toBe('invalid user')
  },
)

test('a one-line password is accepted with any characters, one with several lines is refused (57)', () => {
  for (const pass of [` '"$(x)\`\\ü`, '-----', '-rf', '%n']) {
    expect(readCredential({ host: 'h', port: 22, user: 'anna', pass })).toEqual({ user: 'anna', password: pass })
  }
  for (const pass of ['', 'a\nb', 'a\0b', 'a\r']) {
    expect(problemOf(() => readCredential({ host: 'h', port: 22, user: 'anna', pass }))).toBe('invalid pass')
  }
})

test('a pasted private key is accepted with any line ends and surrounding whitespace', () => {
  const { privateKey, publicKey } = createOwnKey()
  const pasted = `  \n${privateKey.replaceAll('\n', '\r\n')}\r\n`
  expect(readCredential({ host: 'h', port: 22, user: 'root', pass: pasted })).toEqual({
    user: 'root',
    privateKey: `${privateKey.trim()}\n`,
  })
  expect(publicKeyOf(privateKey)).toBe(publicKey)
})
