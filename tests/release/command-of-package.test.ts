/** The package's `gatehouse`: which half a command is for. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-packaged-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A program that prints its name and arguments. */
function writeEcho(name: string): string {
  const file = join(dir, name)
  writeFileSync(file, `#!/bin/sh\necho ${name} "$@"\n`)
  chmodSync(file, 0o755)
  return file
}

const [release, asHalf] = [writeEcho('release'), writeEcho('as')]
// Root is asked for by `id -u`.
writeFileSync(join(dir, 'id'), '#!/bin/sh\necho 0\n')
chmodSync(join(dir, 'id'), 0o755)
const script = join(dir, 'gatehouse')
writeFileSync(
  script,
  readFileSync('deploy/deb/gatehouse', 'utf8')
    .replace('current=/opt/gatehouse/current/gatehouse', `current=${release}`)
    .replace('/usr/lib/gatehouse/as.sh', asHalf),
)

const run = (...args: string[]) =>
  spawnSync('sh', [script, ...args], {
    encoding: 'utf8',
    env: { PATH: `${dir}:/usr/bin:/bin` } as unknown as NodeJS.ProcessEnv,
  }).stdout.trim()

test.each([
  [['users', 'list'], 'portal'],
  [['keys', 'verify'], 'portal'],
  [['keys', '--service', 'verify'], 'service'],
  [['keys', 'verify', '--service'], 'service'],
  [['keys', '--service', 'create', '--account', 'portal'], 'service'],
  [['rollback', 'portal'], 'portal'],
  [['rollback', 'service', '--yes'], 'service'],
] as const)('%j is for the half %s', (args, half) => expect(run(...args)).toBe(`as ${half} ${release} ${args.join(' ')}`))

test('--half names the half, and what moves both runs as root', () => {
  expect(run('--half', 'service', 'backup', '/a')).toBe(`as service ${release} backup /a`)
  expect(run('upgrade', '/a.tar.gz')).toBe('release upgrade /a.tar.gz')
  expect(run('rollback', '--yes')).toBe('release rollback --yes')
  expect(run('version')).toBe('release version')
})
