/** What `gatehouse config check` finds in a file of settings and an environment. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProblems } from '@/lib/launcher/config-check'

const check = (text: string | null, environment: Record<string, string | undefined> = {}) => findProblems(text, environment, '/nowhere')

test('settings that are valid have no problem, whatever else a file may set', () => {
  const text = [
    '# Portal',
    'PORT=3100',
    'PUBLIC_URL=https://portal.example.com',
    'NODE_EXTRA_CA_CERTS=/etc/ca.pem',
    'TZ=UTC',
    'https_proxy=http://p',
  ]
  expect(check(text.join('\n'))).toEqual([])
  expect(check(null, { PATH: '/bin', HOME: '/root', PORT: '3100' })).toEqual([])
})

test('every problem is named with its line: unknown, missing, invalid, and lines that are ignored', () => {
  const text = [
    'PUBLIC_URI=https://portal.example.com',
    'some words',
    'SMTP_URL=smtp://mail.example.org',
    'OIDC_NAME=Company id',
    'TRUSTED_PROXIES=10.0.0.0/8 proxy',
    'EDITOR=vi',
    '',
    'GATEHOUSE_KEYS=./data',
  ]
  expect(check(text.join('\n'))).toEqual([
    { line: 1, message: 'PUBLIC_URI is not a setting and has no effect. Did you mean PUBLIC_URL?' },
    { line: 2, message: expect.stringContaining('neither NAME=VALUE nor a comment') },
    { line: 3, message: expect.stringContaining('MAIL_FROM is missing') },
    { line: 4, message: expect.stringContaining('OIDC_ISSUER is missing') },
    { line: 5, message: expect.stringContaining('proxy is not an address') },
    { line: 6, message: expect.stringContaining('EDITOR is not a setting') },
    { line: 8, message: expect.stringContaining('must be two folders') },
  ])
})

test('several values that are invalid by themselves are all named', () => {
  expect(check('PORT=99999\nREAD_SECONDS=soon\nLOG_LEVEL=loud').map(({ line, message }) => [line, message.split(' ', 1)[0]])).toEqual([
    [1, 'PORT'],
    [2, 'READ_SECONDS'],
    [3, 'LOG_LEVEL'],
  ])
})

test('the environment wins over the file, and its problems have no line', () => {
  expect(check('PORT=none', { PORT: '3100' })).toEqual([])
  expect(check('PORT=3100', { PORT: 'none', SMPT_URL: 'x' })).toEqual([
    { line: null, message: expect.stringContaining('SMPT_URL is not a setting') },
    { line: null, message: expect.stringContaining('PORT is invalid') },
  ])
})

test('ports that are the same and files of secrets are checked too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  try {
    const file = join(folder, 'password')
    const mail = `SMTP_URL=smtp://portal@mail.example.org\nMAIL_FROM=Gatehouse <a@b>\nSMTP_PASSWORD_FILE=${file}\nPORT=4000`
    expect(check(mail)).toEqual([
      { line: 3, message: expect.stringContaining('SMTP_PASSWORD_FILE') },
      { line: 4, message: expect.stringContaining('are both 4000') },
    ])
    writeFileSync(file, 'hunter2')
    expect(check(mail.replace('4000', '3000'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('no message has a secret', () => {
  const secret = randomBytes(12).toString('hex')
  const texts = [
    `SMTP_URL=smtp://portal:${secret}@mail.example.org`,
    `SMTP_URL=${secret}`,
    `GATEHOUSE_KEK=${secret}`,
    `GATEHOUSE_KEKS=${secret}`,
    `GATEHOUSE_KEK="${secret}`,
    `export GATEHOUSE_KEK=${secret}`,
    `${secret}`,
    `OIDC_ISSUER=https://me:${secret}@id.example.org`,
  ]
  for (const text of texts) {
    const problems = check(text)
    expect(
      problems.map(({ line }) => line),
      text,
    ).toContain(1)
    expect(JSON.stringify(problems)).not.toContain(secret)
  }
})
