/** Which interrupted jobs of sites are taken back, in which order, and how their lines go on: by this machine's own bash, with pretended units. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const run = promisify(execFile)
const day = 86_400
const now = () => Math.floor(Date.now() / 1000)

let folder: string
const program = (name: string, text: string) => {
  writeFileSync(join(folder, 'programs', name), `#!/bin/bash\n${text}\n`)
  chmodSync(join(folder, 'programs', name), 0o755)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-jobs-'))
  mkdirSync(join(folder, 'programs'))
  mkdirSync(join(folder, 'jobs'))
  program('systemctl', '[[ $1 != is-system-running ]] || echo running; [[ $* != *busy* ]] || echo active')
  program('systemd-run', `echo "\${@: -2}" >>${folder}/ran`)
  program('journalctl', 'true')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = (status: string, words: string) => `1\tStep\t10\t${status}\t${words}\t`

/** ago: when it last said something, in seconds. */
function job(id: string, number: number | null, lines: string, ago = 60): void {
  const home = join(folder, 'jobs', id)
  mkdirSync(home)
  if (number !== null) writeFileSync(join(home, 'number'), `${number}\n`)
  writeFileSync(join(home, 'events'), lines)
  utimesSync(join(home, 'events'), now() - ago, now() - ago)
}

async function bash(script: string, values = ''): Promise<string> {
  const text = readScript(script).replace('jobs_home=/var/lib/gatehouse/site-jobs', `jobs_home=${folder}/jobs`)
  const file = join(folder, 'script')
  writeFileSync(file, text.replace('install -d -m 700 /var/lib/gatehouse ', 'install -d -m 700 '))
  writeFileSync(join(folder, 'values'), values)
  const env = { ...process.env, PATH: `${folder}/programs:${process.env.PATH}` }
  return (await run('bash', ['-c', `exec <${folder}/values\n. ${file}`], { env })).stdout
}
const ran = () =>
  readFileSync(join(folder, 'ran'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((each) => each.replace(`${folder}/jobs/`, ''))
const eventsOf = (id: string) => readFileSync(join(folder, 'jobs', id, 'events'), 'utf8')

test('at boot, all that died are taken back in the order in which they came; what runs, has ended or is a day old is left alone', async () => {
  job('second', 2, `${line('running', 'x')}\n`)
  job('first', 1, `${line('running', 'x')}\n1\tStep\t1`)
  job('older', null, `${line('running', 'x')}\n`)
  job('ended', 3, `${line('done', 'x')}\n`)
  job('failed', 4, `${line('failed', 'x')}\n`)
  job('busy', 5, `${line('running', 'x')}\n`)
  job('old', 6, `${line('running', 'x')}\n`, day + 60)
  expect(await bash('sites/take-back.bash')).toBe('Interrupted work on sites is taken back.\n')
  expect(ran()).toEqual(['older died', 'first died', 'second died'])
  // Half a line is ended, so that the next one is whole.
  expect(eventsOf('first')).toMatch(/\t1\n$/)
})

test('the day does not pass while the server is off', async () => {
  program('journalctl', `echo '${now() - 5 * day}.123456 host systemd[1]: Powering off.'`)
  job('before', 1, `${line('running', 'x')}\n`, 5 * day + 600)
  job('long-before', 2, `${line('running', 'x')}\n`, 6 * day + 600)
  await bash('sites/take-back.bash')
  expect(ran()).toEqual(['before died'])
})

test('without MariaDB, nothing is taken back, and the unit tries again', async () => {
  program('systemctl', '[[ $2 == is-enabled ]] || [[ $1 != show ]] && [[ $2 != is-active ]]')
  job('first', 1, `${line('running', 'x')}\n`)
  await expect(bash('sites/take-back.bash')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('MariaDB does not run') })
  expect(ran).toThrow('ENOENT')
})

test('where nothing was interrupted, nothing is said and nothing starts', async () => {
  job('ended', 1, `${line('done', 'x')}\n`)
  expect(await bash('sites/take-back.bash')).toBe('')
  expect(ran).toThrow('ENOENT')
})

test('whoever saw more lines than the disk has kept still gets the last one, once', async () => {
  job('seen', 1, `${line('running', 'x')}\n`)
  await bash('sites/take-back.bash')
  const last = line('failed', 'The server went down.')
  writeFileSync(join(folder, 'jobs/seen/events'), `${line('running', 'x')}\n${last}\n`)
  // Of four lines that were seen, three are lost.
  expect(await bash('sites/settle.bash', 'seen\x004\0')).toBe('ended\n')
  const lines = eventsOf('seen').replace(/\n$/, '').split('\n')
  expect(lines).toHaveLength(5)
  expect(lines.at(-1)).toBe(last)
  expect(lines.slice(2, 4).every((each) => each.includes('(This line was lost when the server went down.)'))).toBe(true)
  await bash('sites/settle.bash', 'seen\x004\0')
  expect(eventsOf('seen').replace(/\n$/, '').split('\n')).toHaveLength(5)
})

test('a job that ended while it was followed gets no more lines', async () => {
  const lines = `${line('running', 'x')}\n${line('done', 'x')}\n`
  job('seen', 1, lines)
  expect(await bash('sites/settle.bash', 'seen\x002\0')).toBe('ended\n')
  expect(eventsOf('seen')).toBe(lines)
})
