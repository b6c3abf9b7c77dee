/** What every provider must do for its logs over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'

/** A server with at least one recorded login. */
export type LogsTarget = Target & { id: string }

export const fetchLog = (target: LogsTarget, log: string): Promise<Said> => post(target, `/servers/${target.id}/fetchlog`, { log })

/** Its lines, and the names of all logs. */
export async function readLog(target: LogsTarget, log: string): Promise<{ lines: string[]; names: string[] }> {
  const { status, body } = await fetchLog(target, log)
  expect({ log, status, success: body.success, error: body.error }).toEqual({ log, status: 200, success: true })
  return { lines: String(body.content).split('\n'), names: body.logs as string[] }
}

const notOurs = [
  '',
  'syslog',
  'Auth',
  'auth ',
  '../auth',
  '/etc/shadow',
  'auth.log/',
  'AUTH.LOG',
  '/var/log/auth.log.1',
  '/var/log/../log/auth.log',
  '/var/log/auth',
  '/etc/auth.log',
  'syslog.log',
  '-f',
  '$(id)',
  "auth'; id; '",
  'auth\nmail',
  'site:',
  '__proto__',
]
const notSites = [
  'site:..:access',
  'site:a/../../../etc/passwd:access',
  'site:-rf.test:access',
  'site:a.test:../x',
  'site:a.test',
  'site:*.test:access',
]

export async function proveLogs(target: LogsTarget): Promise<void> {
  const { lines, names } = await readLog(target, 'auth')
  expect(lines.filter((line) => line.includes('Accepted publickey for root')).length).toBeGreaterThan(0)
  expect(lines[0]).toMatch(/^\S+ .+\[\d+\]:? /)
  expect(names.slice(0, 2)).toEqual(['auth', 'journal'])
  // Clients of the interface know logs by their files.
  for (const log of ['auth.log', '/var/log/auth.log'])
    expect((await readLog(target, log)).lines.some((line) => line.includes('Accepted publickey for root'))).toBe(true)
  for (const name of names) expect((await readLog(target, name)).names).toEqual(names)
  for (const log of [...notOurs, ...notSites]) {
    expect([log, await fetchLog(target, log)]).toMatchObject([
      log,
      { status: 422, body: { code: 'invalid', fields: { log: expect.any(String) } } },
    ])
  }
  expect(await fetchLog(target, 'site:nowhere.test:access')).toMatchObject({ status: 409, body: { code: 'not_installed' } })
  expect(await post(target, `/servers/${target.id}/fetchlog`, {})).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await fetchLog({ ...target, id: 'no-such-server' }, 'auth')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await get(target, `/servers/${target.id}/fetchlog`)).status).toBe(405)
  const [one, other] = await Promise.all([readLog(target, 'auth'), readLog(target, 'auth')])
  expect(one.lines.slice(0, 3)).toEqual(other.lines.slice(0, 3))
}
