/** Requests counted from lines as Apache writes them, by the bash that servers run. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'
import { parseTraffic } from '@/lib/service/machines/debian/sites/traffic'

const script = readScript('sites/count-requests.bash')

/** In Berlin the clock shows two o'clock twice on this night: the hour that began at 00:00 UTC, and the one an hour later. */
const night = Date.parse('2026-10-25T03:00:00Z') / 1000

function run(log: string): string {
  const program = `${script}\ncount_requests "$(hour_names ${night})" '192.0.2.10 127.0.0.1 ::1'`
  const ran = spawnSync('bash', ['--norc', '-c', program], {
    input: log,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'Europe/Berlin' },
  })
  expect(ran.stderr).toBe('')
  return `from\t${night - 23 * 3600}\n${ran.stdout}`
}

const count = (log: string) =>
  parseTraffic(run(log)).hours.flatMap(({ requests, clientErrors, serverErrors }, at): [number, ...number[]][] =>
    requests > 0 ? [[at - 23, requests, clientErrors, serverErrors]] : [],
  )

const line = (at: string, rest: string, from = '203.0.113.9') => `${from} - - [${at}] ${rest}\n`
const asked = (status: number) => `"GET / HTTP/1.1" ${status} 512 "-" "Mozilla/5.0"`

test('requests and errors are counted by hour, also in an hour that occurs twice', () => {
  const log = [
    line('25/Oct/2026:02:10:00 +0200', asked(200)),
    line('25/Oct/2026:02:10:00 +0100', asked(404)),
    line('25/Oct/2026:02:59:59 +0100', asked(503)),
    line('25/Oct/2026:04:00:00 +0100', asked(301)),
    line('24/Oct/2026:03:59:59 +0200', asked(500)),
    line('23/Oct/2026:04:00:00 +0200', asked(500)),
  ]
  expect(count(log.join(''))).toEqual([
    [-3, 1, 0, 0],
    [-2, 2, 1, 1],
    [0, 1, 0, 0],
  ])
})

test('no visitor can write a status, an hour or another line, and requests of the server itself do not count', () => {
  const at = '25/Oct/2026:04:00:00 +0100'
  const log = [
    line(at, '"GET /\\" 500 1 \\"x HTTP/1.1" 200 5 "-" "a\\" 503 \\"b"'),
    line(at, '"GET /[24/Oct/2026:05:00:00 +0200] \\" HTTP/1.1" 404 5 "-" "-"'),
    line(at, '"-" 408 0 "-" "-"'),
    line(at, '"GET / HTTP/1.1" 200 5 "https://a.example/\\" 500 " "-"'),
    line(at, asked(500), '192.0.2.10'),
    line(at, asked(500), '::1'),
    'gatehouse\n\n[25/Oct/2026]\n',
  ]
  expect(count(log.join(''))).toEqual([[0, 4, 2, 0]])
})

test('a log that was cut is reported, unless it begins before the day, and a malformed answer is refused', () => {
  const old = line('23/Oct/2026:04:00:00 +0200', asked(200))
  const recent = line('25/Oct/2026:04:00:00 +0100', asked(200))
  const isWhole = (log: string) => parseTraffic(run(log)).whole
  expect([isWhole(`${recent}gatehouse: cut\n`), isWhole(`${old}${recent}gatehouse: cut\n`), isWhole(recent)]).toEqual([false, true, true])
  const hours = 'hour\t1\t0\t0\n'.repeat(24)
  expect(parseTraffic(`from\t1795000000\n${hours}cut\nanswer\t200\t84\n`)).toMatchObject({
    whole: false,
    answer: { status: 200, firstByteMs: 84 },
  })
  expect(parseTraffic(`from\t1795000000\n${hours}`)).toMatchObject({ whole: true, answer: null })
  for (const printed of ['', `from\tnow\n${hours}`, `from\t1795000000\n${'hour\t1\t0\t0\n'.repeat(23)}`])
    expect(() => parseTraffic(printed)).toThrow('internal')
})
