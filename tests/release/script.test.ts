/** The script `gatehouse` of an installed release: who undoes an interrupted upgrade before a start, and what starts then. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-script-')))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const release = (version: string) => join(dir, 'releases', version)

/** A release whose Node prints its version and arguments; as 1.0.0 it undoes the upgrade to 1.1.0. */
function writeRelease(version: string): void {
  mkdirSync(join(release(version), 'node/bin'), { recursive: true })
  const script = readFileSync('lib/release/gatehouse.sh', 'utf8').replace('/sys/fs/cgroup/system.slice', units)
  writeFileSync(join(release(version), 'gatehouse'), script, { mode: 0o755 })
  const undoing = `[ "$3" != --recover ] || { rm -r ${release('1.1.0')} ${dir}/undo; ln -sfn releases/1.0.0 ${dir}/current; }`
  writeFileSync(join(release(version), 'node/bin/node'), `#!/bin/sh\nshift\necho ${version} "$@"\nset -- x "$@"\n${undoing}\n`, {
    mode: 0o755,
  })
}

const units = join(dir, 'units')

beforeEach(() => {
  for (const name of ['units', 'undo', 'upgrade.json']) rmSync(join(dir, name), { recursive: true, force: true })
  rmSync(join(dir, 'releases'), { recursive: true, force: true })
  for (const version of ['1.0.0', '1.1.0']) writeRelease(version)
  rmSync(join(dir, 'current'), { force: true })
  symlinkSync('releases/1.1.0', join(dir, 'current'))
})

const run = (...args: string[]) => spawnSync(join(dir, 'current/gatehouse'), args, { encoding: 'utf8' })

test('the older release undoes what was interrupted, removes the newer one, and starts', () => {
  symlinkSync('releases/1.0.0', join(dir, 'undo'))
  expect(run('up', '--flag')).toMatchObject({ status: 0, stdout: '1.0.0 upgrade --recover\n1.0.0 up --flag\n', stderr: '' })
})

test('the older release carries out `upgrade --recover` whichever is asked', () => {
  symlinkSync('releases/1.0.0', join(dir, 'undo'))
  expect(run('upgrade', '--recover')).toMatchObject({ status: 0, stdout: '1.0.0 upgrade --recover\n' })
})

test.each([
  ['the start that it waits for is not delayed', ['upgrade', '--recover'], 'starting', ''],
  ['the recovery that its unit ends with', ['upgrade', '--recover', '--start'], 'starting', '1.0.0 upgrade --recover --start\n'],
  ['a start at any other step', ['upgrade', '--recover'], 'copying', '1.0.0 upgrade --recover\n'],
])('during an upgrade: %s', (_, args, step, stdout) => {
  symlinkSync('releases/1.0.0', join(dir, 'undo'))
  writeFileSync(join(dir, 'upgrade.json'), `{\n  "step": "${step}"\n}\n`)
  mkdirSync(join(units, 'gatehouse-upgrade-12.service'), { recursive: true })
  expect(run(...args)).toMatchObject({ status: 0, stdout })
})

test('an upgrade that was interrupted at the start, without its unit, is settled first', () => {
  symlinkSync('releases/1.0.0', join(dir, 'undo'))
  writeFileSync(join(dir, 'upgrade.json'), '{\n  "step": "starting"\n}\n')
  expect(run('upgrade', '--recover').stdout).toBe('1.0.0 upgrade --recover\n')
})

test('without an interruption the current release starts', () => {
  expect(run('up')).toMatchObject({ status: 0, stdout: '1.1.0 up\n' })
})
