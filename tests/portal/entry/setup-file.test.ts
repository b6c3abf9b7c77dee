import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSetupFile, SetupFileError } from '@/lib/portal/entry/setup-file'
import { hashPassword } from '@/lib/portal/identity/password'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-setup-'))
const file = join(dir, 'setup.json')
const keyFile = join(dir, 'api-key')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function write(path: string, content: string, mode = 0o600): void {
  writeFileSync(path, content)
  chmodSync(path, mode)
}

function readWith(content: unknown): ReturnType<typeof readSetupFile> {
  write(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readSetupFile(file)
}

/** The lines of the refusal, without the name of the file. */
function refusalOf(content: unknown): string[] {
  try {
    readWith(content)
    return []
  } catch (error) {
    if (!(error instanceof SetupFileError)) throw error
    return error.message.split('\n').map((line) => line.replace(`${file}, `, ''))
  }
}

const owner = { name: ' Robin ', email: 'Robin@Example.org' }
const connection = { label: 'Hosting', address: 'https://api.example.org', key: 'k3y-of-the-service' }

test('it reads everything, and a key from its own file', async () => {
  write(keyFile, 'key-from-a-file\n')
  const passwordHash = await hashPassword('seven words that nobody guesses')
  const invitations = [{ email: 'kim@example.org', role: 'viewer', until: '2031-05-31', access: false }]
  expect(readWith({ team: 'Reiherteich', owner: { ...owner, passwordHash }, invitations, connection })).toEqual({
    team: 'Reiherteich',
    owner: { name: 'Robin', email: 'robin@example.org', passwordHash },
    invitations: [{ email: 'kim@example.org', role: 'viewer', until: new Date('2031-05-31T23:59:59.999Z'), access: false }],
    connection,
  })
  expect(readWith({ owner, connection: { label: 'Hosting', keyFile } }).connection).toEqual({
    label: 'Hosting',
    address: undefined,
    key: 'key-from-a-file',
  })
})

test.each([
  { content: {}, says: ['owner: Enter who owns the team.'] },
  { content: [], says: ['the file: Enter an object.'] },
  {
    content: { owner: { name: '', email: 'nobody' } },
    says: ['owner.name: This field is required.', 'owner.email: Enter an email address such as you@example.org.'],
  },
  { content: { owner: { ...owner, passwd: 'x' } }, says: ['owner.passwd: There is no such field.'] },
  {
    content: { owner, invitations: [{ email: 'a@b', role: 'boss' }] },
    says: ['invitations[0].role: Use owner, admin, operator, viewer or guest.'],
  },
  {
    content: { owner, invitations: [{ email: 'a@b', role: 'admin', until: 'soon' }] },
    says: ['invitations[0].until: Enter a date such as 2026-11-28.'],
  },
  { content: { owner, connection: { ...connection, keyFile: '/k' } }, says: ['connection: Enter either key or keyFile.'] },
  { content: { owner, connection: { keyFile: 'k' } }, says: ['connection.keyFile: Enter a whole path, which begins with /.'] },
])('$content is refused by field', ({ content, says }) => expect(refusalOf(content)).toEqual(says))

test.each([
  'hunter2-in-plain-text',
  '$2b$12$abcdefghijklmnopqrstuuKuTGnpmsqSnsOZGYjCn2Xfd4TVnhC7i',
  '$argon2id$v=19$m=1024,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
  '$argon2id$v=19$m=4194304,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
  '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2h',
  '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2Fsd$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
  '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2Fsc2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2gxx',
])('the password hash %j is refused, and not repeated', (passwordHash) => {
  const [line = '', ...more] = refusalOf({ owner: { ...owner, passwordHash } })
  expect(line).toMatch(/^owner\.passwordHash: Enter a hash of argon2id/)
  expect([more, line.includes(passwordHash)]).toEqual([[], false])
})

test('a fault of the text is refused by its line, without what stands there', () => {
  const refused = refusalOf('{\n  "owner": {},\n  "connection": { "key": "k3y-of-the-service" "label": "x" }\n}')
  expect(refused).toEqual(['line 3: This is not valid JSON.'])
  expect(refusalOf('{ "key": k3y-of-the-service }').join()).not.toContain('k3y')
})

test('a key that is none is refused, and not repeated', () => {
  const refused = refusalOf({ owner, connection: { ...connection, key: 'two words' } })
  expect(refused).toEqual([expect.stringMatching(/^connection\.key: This is not an API key/)])
  write(keyFile, 'two words')
  expect(() => readWith({ owner, connection: { keyFile } })).toThrow(`${keyFile}: This is not an API key.`)
})

test.each([0o640, 0o604, 0o620])('a file with mode %i is refused, also that of the key', (mode) => {
  write(file, JSON.stringify({ owner }), mode)
  expect(() => readSetupFile(file)).toThrow(`${file} is accessible to other users: run chmod 0600 on it.`)
  write(keyFile, 'key-from-a-file', mode)
  expect(() => readWith({ owner, connection: { keyFile } })).toThrow(`${keyFile} is accessible to other users`)
})

test('a file that is missing is refused', () => {
  expect(() => readSetupFile(join(dir, 'none'))).toThrow(`${join(dir, 'none')} cannot be read (ENOENT).`)
})

test.skipIf(process.getuid?.() !== 0)('a file of another user is refused', () => {
  write(file, JSON.stringify({ owner }))
  chownSync(file, 12_345, 12_345)
  expect(() => readSetupFile(file)).toThrow('belongs to another user')
  chownSync(file, 0, 0)
})

test('a link and a named pipe are what they lead to: others may not own or reach it', () => {
  const [link, pipe] = [join(dir, 'link.json'), join(dir, 'pipe')]
  write(file, JSON.stringify({ owner }), 0o644)
  symlinkSync(file, link)
  expect(() => readSetupFile(link)).toThrow(`${link} is accessible to other users`)
  execFileSync('mkfifo', ['-m', '666', pipe])
  const writer = openSync(pipe, constants.O_RDWR)
  expect(() => readSetupFile(pipe)).toThrow(`${pipe} is accessible to other users`)
  closeSync(writer)
})
