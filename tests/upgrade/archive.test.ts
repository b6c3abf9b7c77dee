/** What an archive has to be before anything of it is installed. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkArchive, unpack } from '@/lib/upgrade/archive'
import { findInstallation } from '@/lib/upgrade/installation'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** An archive like a release's, with two files and a link. Its folder may be changed after the manifest was written. */
function makeArchive(change: (folder: string) => void = () => undefined, top = 'gatehouse-1.1.0-linux-x64'): string {
  const folder = join(dir, top)
  mkdirSync(join(folder, 'lib'), { recursive: true })
  const files = { VERSION: '1.1.0\n', 'lib/main.mjs': 'export {}\n' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  symlinkSync('lib', join(folder, 'link'))
  const hashes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, sha256(text)]))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '1.1.0', files: hashes, links: { link: 'lib' } }))
  change(folder)
  const archive = join(dir, 'release.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', dir, top])
  return archive
}

function makeInstallation() {
  mkdirSync(join(dir, 'root/releases/1.0.0'), { recursive: true })
  symlinkSync('releases/1.0.0', join(dir, 'root/current'))
  return findInstallation(join(dir, 'root/releases/1.0.0'))
}

test('a whole archive is unpacked under its version', async () => {
  const archive = await checkArchive(makeArchive())
  expect(archive).toMatchObject({ version: '1.1.0', unpackedBytes: expect.any(Number) })
  expect(archive.unpackedBytes).toBeGreaterThan(100)
  await unpack(makeInstallation(), archive)
  expect(readdirSync(join(dir, 'root/releases')).sort()).toEqual(['1.0.0', '1.1.0'])
  expect(readFileSync(join(dir, 'root/releases/1.1.0/link/main.mjs'), 'utf8')).toBe('export {}\n')
})

test.each<[string, (folder: string) => void, RegExp]>([
  ['a changed file', (folder) => writeFileSync(join(folder, 'lib/main.mjs'), 'other'), /lib\/main\.mjs differs/],
  ['a file more', (folder) => writeFileSync(join(folder, 'lib/more.mjs'), ''), /lib\/more\.mjs is not in its manifest/],
  ['a file less', (folder) => execFileSync('rm', [join(folder, 'VERSION')]), /VERSION is missing/],
  ['another link', (folder) => execFileSync('ln', ['-sfn', '/etc', join(folder, 'link')]), /link differs/],
  ['a folder in place of a link', (folder) => execFileSync('sh', ['-c', 'rm "$0/link"; mkdir "$0/link"', folder]), /link is missing/],
  ['no manifest', (folder) => execFileSync('rm', [join(folder, 'manifest.json')]), /manifest\.json is missing/],
])('%s is refused, and nothing stays of it', async (_, change, why) => {
  const installation = makeInstallation()
  await expect(unpack(installation, await checkArchive(makeArchive(change)))).rejects.toThrow(why)
  expect(readdirSync(installation.releases)).toEqual(['1.0.0'])
})

test('what is no release, or no archive, or not what the file beside it says, is refused', async () => {
  await expect(checkArchive(join(dir, 'missing.tar.gz'))).rejects.toThrow('There is no file')
  await expect(checkArchive(makeArchive(undefined, 'something-else'))).rejects.toThrow('is not a release')
  writeFileSync(join(dir, 'text.tar.gz'), 'no archive')
  await expect(checkArchive(join(dir, 'text.tar.gz'))).rejects.toThrow('is not a whole archive')
  const archive = makeArchive()
  writeFileSync(`${archive}.sha256`, `${sha256(readFileSync(archive))}  release.tar.gz\n`)
  expect((await checkArchive(archive)).version).toBe('1.1.0')
  writeFileSync(`${archive}.sha256`, `${sha256('other')}  release.tar.gz\n`)
  await expect(checkArchive(archive)).rejects.toThrow('is not the file that')
})

test('a signature of gpg counts only by the named key', async () => {
  const archive = makeArchive()
  const makeKey = (name: string) => {
    const home = join(dir, name)
    mkdirSync(home, { mode: 0o700 })
    const gpg = (...args: string[]) =>
      execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', '--passphrase', '', ...args], { stdio: 'pipe' })
    gpg('--quick-generate-key', `${name}@northwind.test`, 'ed25519', 'sign', 'never')
    gpg('--armor', '--output', join(dir, `${name}.asc`), '--export')
    gpg('--output', join(dir, `${name}.sig`), '--detach-sign', archive)
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'])
    return { key: join(dir, `${name}.asc`), signature: join(dir, `${name}.sig`) }
  }
  const [ours, other] = [makeKey('ours'), makeKey('other')]
  expect((await checkArchive(archive, ours)).version).toBe('1.1.0')
  await expect(checkArchive(archive, { key: ours.key, signature: other.signature })).rejects.toThrow('The signature is not valid')
  writeFileSync(archive, Buffer.concat([readFileSync(archive), Buffer.from('\0')]))
  await expect(checkArchive(archive, ours)).rejects.toThrow('The signature is not valid')
  await expect(checkArchive(archive, { ...ours, key: join(dir, 'none') })).rejects.toThrow('There is no file')
})

test.skipIf(!existsSync('/usr/bin/minisign'))('a signature of minisign counts only by the named key', async () => {
  const archive = makeArchive()
  const makeKey = (name: string) => {
    const [key, secret, signature] = ['pub', 'key', 'minisig'].map((kind) => join(dir, `${name}.${kind}`)) as [string, string, string]
    execFileSync('minisign', ['-GWp', key, '-s', secret], { stdio: 'pipe' })
    execFileSync('minisign', ['-Sm', archive, '-s', secret, '-x', signature], { stdio: 'pipe' })
    return { key, signature }
  }
  const [ours, other] = [makeKey('ours'), makeKey('other')]
  expect((await checkArchive(archive, ours)).version).toBe('1.1.0')
  await expect(checkArchive(archive, { key: ours.key, signature: other.signature })).rejects.toThrow('The signature is not valid')
})
