/** Email of sites on a real server: what is read of it, and the program that counts what an address sends. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseMail } from '@/lib/service/machines/debian/sites/mail'

const programs = new URL('../../../lib/service/machines/debian/sites/mail-programs.bash', import.meta.url)

/** The program with its two places in a folder; asks it about logins, each with its number of recipients. */
function countIn(folder: string, most: number) {
  const text = /content_limit_program\(\) \{\n {2}cat <<'END'\n(.*?)\nEND\n\}/s.exec(readFileSync(programs, 'utf8'))?.[1] ?? ''
  mkdirSync(join(folder, 'sent'), { recursive: true })
  writeFileSync(join(folder, 'most'), `${most}\n`)
  const placed = text
    .replace('/var/lib/gatehouse-mail/sent', join(folder, 'sent'))
    .replace('/etc/gatehouse/mail/hourly-limit', join(folder, 'most'))
  writeFileSync(join(folder, 'limit'), placed)
  return (...asked: readonly (readonly [login: string, recipients: number])[]): string[] => {
    const input = asked
      .map(([login, recipients]) => `request=smtpd_access_policy\nsasl_username=${login}\nrecipient_count=${recipients}\n\n`)
      .join('')
    return execFileSync('perl', [join(folder, 'limit')], { input, encoding: 'utf8' })
      .split('\n\n')
      .filter((line) => line !== '')
  }
}

test('an address sends to as many recipients as it may within an hour; others have their own count, and old messages do not count', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-limit-'))
  try {
    const ask = countIn(folder, 3)
    const full = expect.stringMatching(/^action=450 .* 3 recipients within an hour, of 3 it may/)
    expect(ask(['A@one.test', 2], ['a@one.test', 1], ['a@one.test', 1], ['b@one.test', 3])).toEqual([
      'action=DUNNO',
      'action=DUNNO',
      full,
      'action=DUNNO',
    ])
    expect(ask(['a@one.test', 1])).toEqual([full])
    const path = join(folder, 'sent', 'one.test', 'a')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/^\d+/gm, (time) => String(Number(time) - 3601)),
    )
    expect(ask(['a@one.test', 3], ['a@one.test', 1])).toEqual(['action=DUNNO', full])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a login that is no address sends nothing, and reaches no other file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-limit-'))
  try {
    const ask = countIn(folder, 3)
    for (const login of ['', '../x', 'a@../x', '..@one.test', 'a/b@one.test', 'a@one.test/..', '$(id)@one.test'])
      expect([login, ask([login, 1])]).toEqual([login, ['action=550 5.7.1 This login cannot send.']])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what the server prints about email of a site is read, without control characters', () => {
  expect(parseMail('')).toEqual({ on: false, key: '', addresses: [] })
  expect(parseMail('on\nkey\tMIIB+/=\naddress\tinfo\tsome\u0007one@far.test\naddress\ton\tx@far.test\n')).toEqual({
    on: true,
    key: 'MIIB+/=',
    addresses: [
      { user: 'info', destination: expect.not.stringContaining('\u0007') },
      { user: 'on', destination: 'x@far.test' },
    ],
  })
})
