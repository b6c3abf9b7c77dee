import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createKeyFile, KeyFileError, readKeyFile } from '@/lib/sealing/key-file'

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function writeKey(folder: string, text: string, mode = 0o400): string {
  const path = join(folder, `${randomBytes(6).toString('hex')}.key`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** The one line an operator reads. */
function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof KeyFileError) return error.message
    throw error
  }
  throw new Error('It was accepted.')
}

test('a created key file can be read back, is 0400 in a folder of 0700 and contains one line of base64', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'portal', 'kek.key')
  const key = createKeyFile(path)
  expect(readKeyFile(path).equals(key)).toBe(true)
  expect(key.length).toBe(32)
  expect(statSync(path).mode & 0o777).toBe(0o400)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(readFileSync(path, 'utf8')).toBe(`${key.toString('base64')}\n`)
})

test('a key file is never overwritten', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'kek.key')
  const key = createKeyFile(path)
  expect(refusal(() => createKeyFile(path))).toBe(`The key file ${path} already exists.`)
  expect(readKeyFile(path).equals(key)).toBe(true)
})

const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const weak: [string, Buffer, RegExp][] = [
  ['31 bytes', randomBytes(31), /holds 31 bytes, not 32/],
  ['33 bytes', randomBytes(33), /holds 33 bytes, not 32/],
  ['zeros', Buffer.alloc(32), /only zeros/],
  ['one byte repeated', Buffer.alloc(32, 0xa7), /repeats itself/],
  ['four bytes repeated', Buffer.alloc(32, randomBytes(4)), /repeats itself/],
  ['counting bytes', counting, /counts/],
  ['a written sentence', Buffer.from('please-change-me-before-you-ship'), /contains text/],
  ['hexadecimal digits taken as bytes', Buffer.from(randomBytes(16).toString('hex')), /contains text|repeats itself/],
  ['the hash of a word', createHash('sha256').update('changeme').digest(), /well-known default/],
]

for (const [name, key, reason] of weak) {
  test(`security 9: a key of ${name} is refused in one line that does not show it`, () => {
    using folder = temporaryFolder()
    const path = writeKey(folder.path, `${key.toString('base64')}\n`)
    const line = refusal(() => readKeyFile(path))
    expect(line).toMatch(reason)
    expect(line).toContain(path)
    expect(line).not.toContain('\n')
    expect(line).not.toContain(key.toString('base64').slice(0, 10))
  })
}

test('security 9: a key that is not base64 is refused', () => {
  using folder = temporaryFolder()
  const key = randomBytes(32).toString('base64')
  for (const text of ['', '\n', 'not a key', `${key}\n${key}`, `${key}!`, key.replace(/=$/, ''), key.repeat(100)]) {
    expect(refusal(() => readKeyFile(writeKey(folder.path, text)))).toMatch(/^The key file .*\.$/)
  }
})

test('security 9: a missing key file is reported as missing', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'none.key')
  expect(refusal(() => readKeyFile(path))).toBe(`The key file ${path} is missing.`)
})

test('security 9: every mode wider than 0400 is refused, with the command that fixes it', () => {
  using folder = temporaryFolder()
  const text = randomBytes(32).toString('base64')
  for (const mode of [0o600, 0o440, 0o404, 0o640, 0o644, 0o666, 0o777, 0o500, 0o401]) {
    expect(refusal(() => readKeyFile(writeKey(folder.path, text, mode)))).toMatch(
      /accessible to other users \(mode 0\d{3}\): run chmod 0400/,
    )
  }
})

test('security 9: a link, a folder and a file of another user are refused', () => {
  using folder = temporaryFolder()
  const path = writeKey(folder.path, randomBytes(32).toString('base64'))
  symlinkSync(path, join(folder.path, 'link.key'))
  expect(refusal(() => readKeyFile(join(folder.path, 'link.key')))).toMatch(/is a link/)
  expect(refusal(() => readKeyFile(folder.path))).toMatch(/not a plain file/)
  if (process.geteuid?.() !== 0) return
  chownSync(path, 12_345, 12_345)
  expect(refusal(() => readKeyFile(path))).toMatch(/belongs to another user/)
})
