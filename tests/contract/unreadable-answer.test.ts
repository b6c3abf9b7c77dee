/** Answers with a service's own warnings around the JSON, and 2xx answers that nobody can read. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { decodeAnswer } from '@/lib/contract/answer'
import { decodeLargeAnswer } from '@/lib/contract/large-answer'
import type { Operation } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'

const { cron, servers, users } = contract

const read = (operation: Operation, body: string, contentType = 'text/html') => decodeAnswer(operation, { status: 200, contentType, body })

const json = '{"success":true,"items":[{"id":"7"}]}'
const warning = '<br />\n<b>Warning</b>:  Undefined array key "dns" in <b>/var/www/api.php</b> on line <b>5</b><br />\n'

test.each([
  ['a PHP warning before it', warning + json],
  ['two warnings before it', warning + warning + json],
  ['a warning in plain text before it', `\nPHP Deprecated: {closure}() is deprecated in api.php on line 5\n${json}`],
  ['a warning after it', `${json}\n${warning}`],
  ['warnings on both sides', warning + json + warning],
  ['a byte order mark and a warning before it', `\uFEFF${warning}${json}`],
])('JSON with %s is found and read', (_, body) => {
  expect(read(servers.create, body)).toMatchObject({ ok: true, data: { items: [{ id: '7' }] } })
})

test('a failure after a warning is the failure that it says', () => {
  const body = `${warning}{"success":false,"error":"The name is taken."}`
  const sentence = 'The service could not do this: \u2068The name is taken.\u2069'
  expect(read(cron.save, body)).toEqual({ ok: false, problem: problem('upstream_failed', { sentence }) })
})

test('a long list after a warning is read too', async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => ({ id: String(index), name: `server ${index}`, hostname: '', dns: '' }))
  const body = warning + JSON.stringify({ success: true, items })
  const outcome = await decodeLargeAnswer(servers.list, { status: 200, contentType: 'text/html', body }, async () => {})
  expect(outcome.ok && outcome.data.items).toHaveLength(2_000)
})

const unreadable: readonly [string, string][] = [
  ['a web page', '<!doctype html><html><body>It works</body></html>'],
  ['a web page with JSON in it', '<html><script>x = {"success":true,"items":[{"id":"7"}]}</script></html>'],
  ['nothing', ''],
  ['garbage', '\u0000\u0001 ok'],
  ['truncated JSON', '{"success":true,"items":[{"id"'],
  ['a list around an object', `[${json}]`],
  ['two objects', json + json],
  ['two objects after a warning', warning + json + json],
  ['a bracket too many', `{${json}`],
  ['success as a word', '{"success":"true"}'],
  ['no success', '{"items":[{"id":"7"}]}'],
  ['an array', '[true]'],
]

test.each(unreadable)('security 36: after a change a 2xx with %s leaves the outcome unknown, and nothing of it is repeated', (_, body) => {
  for (const operation of [servers.create, servers.delete, cron.save, users.save]) {
    const sentence = 'The service returned an unreadable response. It is not known yet whether the change was made.'
    expect(read(operation, body)).toEqual({ ok: false, problem: problem('outcome_unknown', { sentence }) })
  }
})

test('after a change a success without what it has to tell leaves the outcome unknown', () => {
  expect(read(servers.create, '{"success":true}')).toMatchObject({ problem: { code: 'outcome_unknown' } })
})

test.each(unreadable)('a read answered with %s is not understood, and nothing is open', (_, body) => {
  expect(read(servers.list, body)).toMatchObject({ problem: { code: 'upstream_not_understood' } })
})
