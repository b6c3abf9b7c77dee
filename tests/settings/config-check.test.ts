/** What `gatehouse config check` finds in a file of settings and an environment. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkConfig } from '@/lib/launcher/config-check'

const check = async (text: string | null, environment: Record<string, string | undefined> = {}) =>
  (await checkConfig(text, environment, '/nowhere')).problems

test('settings that are valid have no problem, whatever else a file may set', async () => {
  const text = [
    '# Portal',
    'PORT=3100',
    'PUBLIC_URL=https://portal.example.com',
    'NODE_EXTRA_CA_CERTS=/etc/ca.pem',
    'TZ=UTC',
    'https_proxy=http://p',
  ]
  expect(await check(text.join('\n'))).toEqual([])
  expect(await check(null, { PATH: '/bin', HOME: '/root', PORT: '3100' })).toEqual([])
})

test('every problem is named with its line: unknown, missing, invalid, and lines that are ignored', async () => {
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
  expect(await check(text.join('\n'))).toEqual([
    { line: 1, message: 'PUBLIC_URI is not a setting and has no effect. Did you mean PUBLIC_URL?' },
    { line: 2, message: expect.stringContaining('neither NAME=VALUE nor a comment') },
    { line: 3, message: expect.stringContaining('MAIL_FROM is missing') },
    { line: 4, message: expect.stringContaining('OIDC_ISSUER is missing') },
    { line: 5, message: expect.stringContaining('proxy is not an address') },
    { line: 6, message: expect.stringContaining('EDITOR is not a setting') },
    { line: 8, message: expect.stringContaining('must be two folders') },
  ])
})

test('several values that are invalid by themselves are all named', async () => {
  expect(
    (await check('PORT=99999\nREAD_SECONDS=soon\nLOG_LEVEL=loud')).map(({ line, message }) => [line, message.split(' ', 1)[0]]),
  ).toEqual([
    [1, 'PORT'],
    [2, 'READ_SECONDS'],
    [3, 'LOG_LEVEL'],
  ])
})

test('a setting that stands twice is named, because only the last one counts', async () => {
  expect(await check('PORT=3100\n# again\nPORT=3200\nPORT=3300')).toEqual([
    { line: 1, message: 'PORT is set again in line 4, which counts: remove one of them.' },
    { line: 3, message: 'PORT is set again in line 4, which counts: remove one of them.' },
  ])
})

test('the environment wins over the file, and its problems have no line', async () => {
  expect(await check('PORT=none', { PORT: '3100' })).toEqual([])
  expect(await check('PORT=3100', { PORT: 'none', SMPT_URL: 'x' })).toEqual([
    { line: null, message: expect.stringContaining('SMPT_URL is not a setting') },
    { line: null, message: expect.stringContaining('PORT is invalid') },
  ])
})

test('ports that are the same and files of secrets are checked too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  try {
    const file = join(folder, 'password')
    const mail = `SMTP_URL=smtp://portal@mail.example.org\nMAIL_FROM=Gatehouse <a@b>\nSMTP_PASSWORD_FILE=${file}\nPORT=4000`
    expect(await check(mail)).toEqual([
      { line: 3, message: expect.stringContaining('SMTP_PASSWORD_FILE') },
      { line: 4, message: expect.stringContaining('are both 4000') },
    ])
    writeFileSync(file, 'hunter2')
    expect(await check(mail.replace('4000', '3000'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('no message has a secret', async () => {
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
    const problems = await check(text)
    expect(
      problems.map(({ line }) => line),
      text,
    ).toContain(1)
    expect(JSON.stringify(problems)).not.toContain(secret)
  }
})

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A program of this name in PATH, in place of all others: age and gpg need not be installed here. */
function usePrograms(programs: Record<string, string>): void {
  const folder = makeFolder()
  for (const [name, script] of Object.entries(programs)) writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', ['/nowhere', folder].join(delimiter))
  onTestFinished(() => void vi.unstubAllEnvs())
}

test('what scheduled backups need is tried: encrypting, and the folder or the command', async () => {
  usePrograms({ age: 'exit 0', gpg: 'exit 0' })
  const folder = makeFolder()
  const [file, command] = [join(folder, 'recipient.asc'), join(folder, 'store')]
  writeFileSync(file, 'a public key')
  writeFileSync(command, '#!/bin/sh\n', { mode: 0o700 })
  expect(await check(`BACKUP_RECIPIENT=${recipient}\nBACKUP_FOLDER=${folder}`)).toEqual([])
  expect(await check(`BACKUP_RECIPIENT=${file}\nBACKUP_COMMAND=${command}`)).toEqual([])
})

test('a program that is not installed and a key that it refuses are named, with what to do', async () => {
  usePrograms({ gpg: 'echo "gpg: no valid OpenPGP data found." >&2; echo "gpg: second line" >&2; exit 2' })
  const folder = makeFolder()
  const file = join(folder, 'recipient.asc')
  const target = `\nBACKUP_FOLDER=${folder}`
  expect(await check(`BACKUP_RECIPIENT=${recipient}${target}`)).toEqual([
    {
      line: 1,
      message: 'Nothing can be encrypted to BACKUP_RECIPIENT: age is not installed. Run apt install age.',
    },
  ])
  expect(await check(`BACKUP_RECIPIENT=${file}${target}`)).toEqual([
    { line: 1, message: `The file ${file} is missing. Put a public key of OpenPGP there, or set BACKUP_RECIPIENT to another file.` },
  ])
  writeFileSync(file, 'none')
  expect(await check(`BACKUP_RECIPIENT=${file}${target}`)).toEqual([
    {
      line: 1,
      message:
        'Nothing can be encrypted to BACKUP_RECIPIENT: gpg ended with 2. gpg: no valid OpenPGP data found. gpg: second line Correct the public key.',
    },
  ])
})

test('a folder and a command that cannot be used are named, with what to do', async () => {
  usePrograms({ age: 'exit 0' })
  const folder = makeFolder()
  const missing = join(folder, 'missing')
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const messages = async (setting: string, path: string) =>
    (await check(`BACKUP_RECIPIENT=${recipient}\n${setting}=${path}`)).map(({ line, message }) => [line, message])
  expect(await messages('BACKUP_FOLDER', missing)).toEqual([
    [2, `The folder ${missing} is missing. Create it for the user who runs Gatehouse, or set BACKUP_FOLDER to another one.`],
  ])
  expect(await messages('BACKUP_FOLDER', file)).toEqual([[2, `${file} is not a folder. Set BACKUP_FOLDER to one.`]])
  expect(await messages('BACKUP_FOLDER', '/proc/sys')).toEqual([
    [2, expect.stringMatching(/^The folder \/proc\/sys cannot be written \(E\w+\)\. .*ReadWritePaths=.*BACKUP_FOLDER/)],
  ])
  expect(await messages('BACKUP_COMMAND', missing)).toEqual([
    [2, `The program ${missing} is missing. Set BACKUP_COMMAND to the absolute path of one.`],
  ])
  mkdirSync(missing)
  chmodSync(file, 0o644)
  for (const path of [missing, file])
    expect(await messages('BACKUP_COMMAND', path)).toEqual([
      [2, `${path} is not a program. Run chmod +x on it, or set BACKUP_COMMAND to another one.`],
    ])
})
