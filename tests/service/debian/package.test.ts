/** The package on its server: what is in it, and how a job begins from it, keeps its version and is taken back by it. By this machine's own bash, with pretended units. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostVersion, renderPackage } from '@/lib/service/machines/debian/host/package'
import { serverJobKinds } from '@/lib/service/machines/debian/install/job'
import { readScript } from '@/lib/service/machines/debian/script'
import { jobValues } from '@/lib/service/machines/debian/sites/job'
import { siteWorks } from './site-works'

let folder: string
const at = (...parts: string[]) => join(folder, ...parts)
const program = (name: string, text: string) => {
  writeFileSync(at('programs', name), `#!/bin/bash\n${text}\n`)
  chmodSync(at('programs', name), 0o755)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'))
  for (const each of ['programs', 'usr', 'sbin', 'var/site-jobs', 'run']) mkdirSync(at(each), { recursive: true })
  program('systemctl', 'true')
  program('systemd-run', `echo "\${@: -2}" >>${folder}/ran`)
})
// Several packages of some hundred files, each written through to the disk.
afterEach(() => rmSync(folder, { recursive: true, force: true }), 120_000)

/** Runs a script in folders of this test; its values come by standard input. */
function run(
  script: string,
  values: readonly string[] = [],
  args: readonly string[] = [],
): Promise<{ code: number | null; stdout: string }> {
  const text = script
    .replaceAll('/usr/lib/gatehouse', at('usr/gatehouse'))
    .replaceAll('/usr/local/sbin', at('sbin'))
    .replaceAll('/run/gatehouse', at('run'))
    .replaceAll('/var/lib/gatehouse', at('var'))
    .replaceAll('has_room /usr', `has_room ${at('usr')}`)
  writeFileSync(at('script'), text)
  const env = { ...process.env, PATH: `${at('programs')}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' }
  const child = spawn('bash', [at('script'), ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  // One that refuses does not read all of them.
  child.stdin.on('error', () => {})
  child.stdin.end(values.map((value) => `${value}\0`).join(''))
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout })))
}

const put = (place = '') => run(readScript('host/put.bash'), [hostVersion, place, renderPackage()])
const begin = (version: string, name: string, values: readonly string[], place = '') =>
  run(readScript('host/begin.bash'), [version, place, name, ...values])

/** A package with one script; its version. */
function pretend(script: string, home = 'usr/gatehouse'): string {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const hashes = `${hash(script)}  run/sites/delete.bash\n`
  const version = hash(hashes).slice(0, 16)
  mkdirSync(at(home, version, 'run/sites'), { recursive: true })
  writeFileSync(at(home, version, 'run/sites/delete.bash'), script)
  writeFileSync(at(home, version, 'SHA256SUMS'), hashes)
  return version
}

const startOf = (version: string, home = 'usr/gatehouse') =>
  run(`package_home=${at(home, version)}\n${readScript('sites/start.bash')}`, ['job-1', ...jobValues(siteWorks.delete, 'host.example')])
const job = (...parts: string[]) => at('var/site-jobs/job-1', ...parts)

test('the package has a script for each kind of job, with all its files, and bash parses it', async () => {
  expect((await put()).code).toBe(0)
  const home = at('usr/gatehouse', hostVersion)
  const names = readdirSync(join(home, 'run'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.bash'))
  const kinds = [...Object.keys(siteWorks).map((kind) => `sites/${kind}`), ...serverJobKinds.map((kind) => `server/${kind}`)]
  expect(names).toEqual(expect.arrayContaining(kinds.map((kind) => `${kind}.bash`)))
  for (const name of names) {
    const text = readFileSync(join(home, 'run', name), 'utf8')
    const parts = [...text.matchAll(/^\. "\$package_home\/(.*)"$/gm)].map(([, path = '']) => readFileSync(join(home, path), 'utf8'))
    execFileSync('bash', ['-n'], { input: [...parts, text].join('\n') })
    expect([name, parts.length > 1, parts.some((part) => /^source /m.test(part))]).toEqual([name, true, false])
  }
})

test('a script begins with its values if the package is whole, and the package counts as used', async () => {
  const version = pretend(`mapfile -d '' -t values; echo "\${values[@]} \${BASH_SOURCE[0]%/run/*}"`)
  utimesSync(at('usr/gatehouse', version), 1, 1)
  expect(await begin(version, 'sites/delete', ['a', 'b c'])).toEqual({ code: 0, stdout: `a b c ${at('usr/gatehouse', version)}\n` })
  expect((await run(`find ${at('usr/gatehouse')} -name ${version} -mmin -5`)).stdout).not.toBe('')
  writeFileSync(at('usr/gatehouse', version, 'run/sites/delete.bash'), 'echo changed')
  expect(await begin(version, 'sites/delete', ['a'])).toEqual({ code: 74, stdout: '' })
  expect((await begin('0123456789abcdef', 'sites/delete', ['a'])).code).toBe(74)
})

test('a package in memory is used only where that is allowed', async () => {
  const version = pretend('echo begun', 'run/programs')
  expect((await begin(version, 'sites/delete', [])).code).toBe(74)
  expect((await begin(version, 'sites/delete', [], 'memory')).stdout).toBe('begun\n')
})

test('on a full disk, the package is put into memory for a deletion, and refused for anything else', async () => {
  program('head', '[[ $2 != 8388608 ]] && exec /usr/bin/head "$@"; exit 1')
  expect((await put()).code).toBe(28)
  expect(existsSync(at('usr/gatehouse'))).toBe(false)
  expect((await put('memory')).code).toBe(0)
  expect(readdirSync(at('run/programs'))).toEqual([hostVersion])
  // Its job is in memory with it: a boot loses both.
  const version = pretend('true', 'run/programs')
  expect((await startOf(version, 'run/programs')).stdout).toBe('started\n')
  expect((await run(`readlink ${job()}`)).stdout).toBe(`${at('run/jobs/job-1')}\n`)
})

test('the file of a job runs its script of the version that began it, with the arguments of the unit', async () => {
  const version = pretend('echo "$@"')
  expect((await startOf(version)).stdout).toBe('started\n')
  expect(readFileSync(at('ran'), 'utf8')).toBe(`${job('job.bash')} ${job()}\n`)
  const file = readFileSync(job('job.bash'), 'utf8')
  expect(file.length).toBeLessThan(2048)
  expect(readFileSync(job('values'), 'utf8').split('\0').slice(0, 3)).toEqual(['delete', 'site-1', 'examplebeef'])
  expect(await run(file, [], [job(), 'died'])).toEqual({ code: 0, stdout: `${job()} died\n` })
})

test('a version stays while a job, the install or the nightly backup names it, also one that an upgrade has kept, or where something has just begun', async () => {
  const version = pretend('true')
  await startOf(version)
  const named = ['1111111111111111', '2222222222222222', '3333333333333333', '4444444444444444', '5555555555555555']
  for (const each of named) mkdirSync(at('usr/gatehouse', each))
  for (const each of [version, ...named.slice(0, 4)]) utimesSync(at('usr/gatehouse', each), 1, 1)
  mkdirSync(at('var/install'))
  writeFileSync(at('var/install/job.bash'), `. ${at('usr/gatehouse', named[0] ?? '')}/run/server/upgrade.bash\n`)
  writeFileSync(at('sbin/gatehouse-backup'), `echo ${named[1]}\n`)
  // What an upgrade has replaced may be put back.
  const kept = at('var/upgrade/kept/server/files', at('sbin'))
  mkdirSync(kept, { recursive: true })
  writeFileSync(join(kept, 'gatehouse-backup'), `echo ${named[2]}\n`)
  expect((await put()).code).toBe(0)
  expect(readdirSync(at('usr/gatehouse')).sort()).toEqual([hostVersion, version, named[0], named[1], named[2], named[4]].sort())
})

test('a job whose version is gone says once that what it began stays', async () => {
  const version = pretend('true')
  await startOf(version)
  rmSync(at('usr/gatehouse', version), { recursive: true })
  writeFileSync(job('events'), '1\tFiles\t40\trunning\tBegun.\t\n')
  expect((await run(readFileSync(job('job.bash'), 'utf8'), [], [job(), 'died'])).code).toBe(74)
  const [, last = '', ...more] = readFileSync(job('events'), 'utf8').split('\n')
  expect(last.split('\t').slice(1)).toEqual(['Files', '40', 'failed', ...Array(2).fill(expect.stringContaining('is missing')), 'half_done'])
  expect(more).toEqual([''])
  // Who follows an upgrade has seen its end before it is taken back.
  expect((await run(readFileSync(job('job.bash'), 'utf8'), [], ['recover'])).code).toBe(74)
  expect(readFileSync(job('events'), 'utf8').split('\n')).toHaveLength(3)
})
