/** Answers that are none, or that say a call failed: each is one problem with a code, and nothing of them is trusted. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeAnswer, encodeProblem } from '@/lib/contract/answer'
import { contract, interfaceOperations as operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { problem, problemKinds, serviceCodes } from '@/lib/contract/problem'
import { parseRetryAfter } from '@/lib/contract/sentence'
import { seededRuns } from '@/tests/support/seeds'

const { servers } = contract

const reply = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

function readProblem(operation: Operation, body: unknown, status = 200) {
  const outcome = decodeAnswer(operation, reply(body, status))
  return outcome.ok ? outcome : outcome.problem
}

test.each<[string, unknown, string]>([
  ['HTML', '<html>It works</html>', 'upstream_not_understood'],
  ['nothing', '', 'upstream_not_understood'],
  ['success false', { success: false, items: [] }, 'upstream_failed'],
  ['success "true"', { success: 'true', items: [] }, 'upstream_not_understood'],
  ['success 1', { success: 1, items: [] }, 'upstream_not_understood'],
  ['no success', { items: [] }, 'upstream_not_understood'],
  ['an error alone', { error: 7 }, 'upstream_failed'],
  ['the wrong schema', { success: true, items: 'none' }, 'upstream_not_understood'],
  ['a server without id', { success: true, items: [{ name: 'a' }] }, 'upstream_not_understood'],
  ['an array', [{ success: true }], 'upstream_not_understood'],
])('security 36: status 200 with %s is a failure in plain words, and nothing of the body', (_, body, code) => {
  const found = readProblem(servers.list, body)
  expect(found).toEqual(problem(code as never))
})

test('security 36: a web page is named as one, for the address is likely wrong', () => {
  const outcome = decodeAnswer(servers.list, { status: 200, contentType: 'text/html; charset=utf-8', body: '<html>' })
  expect(outcome).toMatchObject({ problem: { code: 'upstream_not_understood', sentence: expect.stringContaining('web page') } })
})

test.each([
  ['truncated', '{"success":true,"items":[{"id":"1"'],
  ['deeply nested', `{"success":true,"items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['with deeply nested members unknown to us', `{"success":true,"items":[],"x":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`],
  ['with a repeated name', '{"success":false,"success":true,"items":[]}'],
  ['with a repeated name in disguise', '{"success":false,"succes\\u0073":true,"items":[]}'],
  ['with a name repeated inside', '{"success":true,"items":[{"id":"1","id":"2"}]}'],
  ['with __proto__', '{"success":true,"items":[],"__proto__":{"polluted":true}}'],
  ['with __proto__ in disguise', '{"success":true,"items":[{"id":"1","\\u005f_proto__" : {}}]}'],
])('security 35: JSON %s is not understood', (_, body) => {
  expect(readProblem(servers.list, body)).toMatchObject({ code: 'upstream_not_understood' })
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('security 35: no body makes reading throw', () => {
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((text) => `{"success":true,"item":${text},"items":${text}}`),
  )
  const property = fc.property(fc.constantFrom(...operations), body, fc.integer({ min: 100, max: 599 }), (operation, text, status) => {
    const outcome = decodeAnswer(operation, { status, contentType: null, body: text })
    if (status < 200 || status > 299) expect(outcome.ok).toBe(false)
  })
  fc.assert(property, { numRuns: seededRuns(10_000) })
})

test.each([
  [301, 'upstream_redirected'],
  [302, 'upstream_redirected'],
  [308, 'upstream_redirected'],
  [400, 'upstream_failed'],
  [401, 'key_rejected'],
  [403, 'key_rejected'],
  [404, 'upstream_failed'],
  [429, 'upstream_rate_limited'],
  [500, 'upstream_failed'],
  [502, 'upstream_failed'],
  [503, 'upstream_failed'],
  [504, 'upstream_failed'],
])('status %i is %s, whatever the body says', (status, code) => {
  for (const body of ['', '<html>', { success: true, items: [] }, { success: false }]) {
    expect(readProblem(servers.list, body, status)).toMatchObject({ code })
  }
})

test.each([302, 303, 500, 502, 504, 520, 524])('status %i after a change leaves open whether it was made', (status) => {
  for (const body of ['', '<html>', { message: 'Server Error' }, { error: 'x' }, { success: true }])
    expect(readProblem(servers.delete, body, status)).toMatchObject({ code: 'outcome_unknown' })
})

test('what a service says of a change with a code of the interface, or with success false, is how it ended', () => {
  for (const status of [500, 502, 504])
    expect(readProblem(servers.delete, { success: false, code: 'unreachable', error: 'x' }, status)).toMatchObject({ code: 'unreachable' })
  expect(readProblem(servers.delete, { success: false, error: 'The name is taken.' }, 500)).toMatchObject({ code: 'upstream_failed' })
  expect(readProblem(servers.delete, { success: false, error: 'The name is taken.' }, 502)).toMatchObject({ code: 'outcome_unknown' })
})

test.each([
  [301, 'upstream_redirected'],
  [307, 'upstream_redirected'],
  [308, 'upstream_redirected'],
  [400, 'upstream_failed'],
  [404, 'upstream_failed'],
  [409, 'upstream_failed'],
  [422, 'upstream_failed'],
  [501, 'upstream_failed'],
  [503, 'upstream_failed'],
])('status %i after a change says that nothing was done: %s', (status, code) => {
  for (const body of ['', '<html>', { error: 'x' }]) expect(readProblem(servers.delete, body, status)).toMatchObject({ code })
})

test('why a change is unknown is said, with the reason of the service', () => {
  expect(readProblem(servers.delete, { message: 'Server Error' }, 500)).toEqual(
    problem('outcome_unknown', {
      sentence: 'It is not known yet whether the change was made. The service failed: \u2068Server Error\u2069',
    }),
  )
  expect(readProblem(servers.delete, '', 303)).toEqual(
    problem('outcome_unknown', {
      sentence: 'It is not known yet whether the change was made. The service redirected to another address.',
    }),
  )
})

test.each([401, 403])(
  'status %i of one operation is refused alone; of the list of servers, which every key may read, it is the key',
  (status) => {
    for (const body of ['', '<html>', { success: false }, { success: false, code: 'unauthorized' }]) {
      expect(readProblem(servers.list, body, status)).toEqual(problem('key_rejected'))
      for (const operation of operations.filter(({ id }) => id !== 'servers.list'))
        expect(readProblem(operation, body, status), operation.id).toEqual(problem('operation_refused'))
    }
    expect(readProblem(servers.summary, { error: 'Your plan has no databases.' }, status)).toEqual(
      problem('operation_refused', { sentence: 'The service refuses this: \u2068Your plan has no databases.\u2069' }),
    )
  },
)

test.each([...serviceCodes].filter((code) => code !== 'unauthorized'))('a service that says %s is understood', (code) => {
  const said = problem(code, { sentence: 'In its own words.', fields: { name: 'Too long.' }, hostKey: `SHA256:${'a'.repeat(43)}` })
  const { status, body } = encodeProblem(said)
  expect(status).toBe(problemKinds[code].status)
  expect(readProblem(servers.create, body, status)).toEqual(said)
})

test('a code of the interface whose reason is elsewhere has it too', () => {
  const sentence = '\u2068The name is too long.\u2069'
  expect(readProblem(servers.create, { code: 'invalid', message: 'The name is too long.' }, 422)).toEqual(problem('invalid', { sentence }))
})

test('codes that only the portal can know are ignored from a service', () => {
  for (const code of ['signed_out', 'forbidden', 'cross_origin', 'key_locked', 'made_up', 'constructor', '__proto__']) {
    expect(readProblem(servers.list, { success: false, code, error: 'x' }, 422)).toMatchObject({ code: 'upstream_failed' })
  }
  expect(readProblem(servers.list, { success: false, code: 'unauthorized' })).toMatchObject({ code: 'key_rejected' })
})

test('the text of a failure is limited and contains no control characters', () => {
  const error = `One\u0000 two\r\nthree \u001b[31m \u202e ${'x'.repeat(5_000)}`
  const fields = { name: 'a\nb', 'not a name': 'x', port: 5 }
  const found = readProblem(servers.create, { success: false, code: 'invalid', error, fields, host_key: 'x"><script>' }, 422)
  expect(found).toMatchObject({ code: 'invalid', fields: { name: 'a b' } })
  expect(found).not.toHaveProperty('hostKey')
  expect(JSON.stringify(found)).toMatch(/"sentence":"One two three \[31m x{10,600}"/)
})

const readReason = (body: Record<string, unknown>): string | undefined => {
  const found = readProblem(servers.list, { success: false, ...body }, 500)
  return 'sentence' in found ? /^The service could not do this: \u2068(.*)\u2069$/.exec(found.sentence)?.[1] : undefined
}

test.each<[string, Record<string, unknown>, string]>([
  ['error', { error: 'The server is locked.' }, 'The server is locked.'],
  ['message', { message: 'The server is locked.' }, 'The server is locked.'],
  ['detail', { title: 'Conflict', status: 409, detail: 'The server is locked.' }, 'The server is locked.'],
  ['error.message', { error: { code: 'E17', message: 'The server is locked.' } }, 'The server is locked.'],
  ['errors as texts', { errors: ['The name is taken.', 'The port is taken.'] }, 'The name is taken. The port is taken.'],
  ['errors as objects', { errors: [{ field: 'name', message: 'The name is taken.' }] }, 'The name is taken.'],
  ['errors with details', { errors: [{ status: '422', detail: 'The name is taken.' }] }, 'The name is taken.'],
  ['errors by field', { errors: { name: ['The name is taken.'] } }, 'The name is taken.'],
  ['message beside a word', { error: 'Forbidden', message: 'Your plan has no databases.' }, 'Your plan has no databases.'],
  ['a word alone', { error: 'Forbidden' }, 'Forbidden'],
  ['message beside a flag', { error: true, message: 'The server is locked.' }, 'The server is locked.'],
  ['markup, as text', { error: 'Fatal <b>error</b>' }, 'Fatal <b>error</b>'],
  ['two lines', { error: 'two\nlines' }, 'two lines'],
  ['what looks like JSON', { error: '{"trace":1}' }, '{"trace":1}'],
  ['letters from right to left', { error: 'השרת נעול' }, 'השרת נעול'],
  ['isolates and overrides', { error: 'a\u2069b \u202ec' }, 'a b c'],
  ['the header of a key', { error: 'Bad Authorization: Bearer abc1' }, 'Bad Authorization: Bearer …'],
  ['words that are also said of keys', { error: 'The basic plan needs a bearer token.' }, 'The basic plan needs a bearer token.'],
  ['what may be a key', { error: `Wrong key ${'k'.repeat(33)}.` }, 'Wrong key ….'],
])('the reason of a foreign service is found in %s, and isolated', (_, body, reason) => {
  expect(readReason(body)).toBe(reason)
})

test('the reason of a foreign service is cut at 300 characters', () => {
  expect(readReason({ error: 'x '.repeat(200_000) })).toBe('x '.repeat(150).trim())
  expect(readReason({ errors: Array.from({ length: 50_000 }, () => 'one two') })).toHaveLength(63)
})

test.each([
  {},
  { error: '' },
  { error: 7 },
  { error: null },
  { errors: [] },
  { errors: [7, null] },
  { error: { error: { error: { error: {} } } } },
])('without a reason, as in %j, the sentence is ours', (body) => {
  expect(readProblem(servers.list, { success: false, ...body }, 500)).toEqual(problem('upstream_failed'))
})

test.each<[string | null, number | undefined]>([
  ['7', 7],
  [' 7 ', 7],
  ['0', 1],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 1],
  ['Sat, 21 Nov 2099 09:00:00 GMT', 3600],
  ['99999999999999999999', 3600],
  ['-5', undefined],
  ['1e9', undefined],
  ['soon', undefined],
  ['Never', undefined],
  ['', undefined],
  [null, undefined],
])('security 38: Retry-After %s means %s seconds', (header, seconds) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 10, 21, 10))).toBe(seconds)
})

test.each<[string, string]>([
  ['1', '1 second'],
  ['7', '7 seconds'],
  ['120', '2 minutes'],
  ['90', '90 seconds'],
  ['60', '1 minute'],
  ['125', '3 minutes'],
  ['3600', '1 hour or more'],
])('a service that says Retry-After %s is said to ask for %s, with its reason', (retryAfter, words) => {
  const read = (status: number, body: unknown) => decodeAnswer(servers.list, { ...reply(body, status), retryAfter })
  const [sentence, retryAfterSeconds] = [`The service asks to wait ${words}.`, Number(retryAfter)]
  expect(read(429, '')).toEqual({ ok: false, problem: { code: 'upstream_rate_limited', sentence, retryAfterSeconds } })
  expect(read(503, '<html>')).toEqual({ ok: false, problem: { code: 'upstream_failed', sentence, retryAfterSeconds } })
  expect(read(429, { error: 'Slow down.' })).toMatchObject({
    problem: { sentence: `The service asks to wait ${words}: \u2068Slow down.\u2069` },
  })
})

test('a service that does not say how long to wait is quoted alone', () => {
  expect(readProblem(servers.list, '', 429)).toEqual(problem('upstream_rate_limited'))
  const sentence = 'The service is rate-limiting requests: \u2068Slow down.\u2069'
  expect(readProblem(servers.list, { error: 'Slow down.' }, 429)).toEqual(problem('upstream_rate_limited', { sentence }))
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.org/a',
  '//example.org/a',
  ' javascript:alert(1)',
  'https:evil',
  '',
  '/\\example.org/a',
  '\\\\example.org',
  'java\nscript:alert(1)',
  '\t//example.org/a',
  'a b.zip',
  'mailto:x',
  '/a\u202eb',
  'x:/a',
])('security 26: a download at %j is not understood', (download_url) => {
  const reply = { status: 200, contentType: 'application/json', body: JSON.stringify({ success: true, download_url }) }
  expect(decodeAnswer(contract.sites.download, reply)).toMatchObject({ ok: false, problem: { code: 'upstream_not_understood' } })
})

test.each([
  '/archives/a.tar.gz',
  'a.tar.gz',
  '../a.tar.gz?token=1',
  './a',
  '?file=a',
  '/a?to=https://example.org/',
  'https://name:word@example.org/a',
])('a download at %j is a link', (download_url) => {
  const reply = { status: 200, contentType: 'application/json', body: JSON.stringify({ success: true, download_url }) }
  expect(decodeAnswer(contract.sites.download, reply)).toMatchObject({ ok: true, data: { download_url } })
})

const quota = 'quota of backups reached (5/5)'

test.each<[string, Record<string, unknown>]>([
  ['status error', { status: 'error', result: null, message: quota }],
  ['status error beside empty members', { status: 'ERROR', result: [], data: {}, message: quota }],
  ['status failed', { status: 'failed', message: quota }],
  ['success as the word false', { success: 'false', message: quota }],
  ['success as the word no', { success: 'no', status: 'error', message: quota }],
  ['success 0', { success: 0, message: quota }],
  ['success "0"', { success: '0', error: quota }],
])('a 2xx that plainly refuses, with %s, is a failure with its reason, for changes and reads', (_, body) => {
  const sentence = `The service could not do this: \u2068${quota}\u2069`
  for (const operation of [contract.cron.save, servers.delete, servers.list]) {
    expect(readProblem(operation, body)).toEqual(problem('upstream_failed', { sentence }))
  }
})

test('a state beside what an answer brings is no refusal of the call, and the state of slow work is not either', () => {
  const open = { code: 'outcome_unknown' }
  expect(readProblem(contract.cron.save, { status: 'error', items: [{ id: '7', status: 'error' }] })).toMatchObject(open)
  expect(readProblem(servers.install, { status: 'failed', message: 'The disk is full.' })).toMatchObject(open)
  expect(readProblem(servers.list, { success: true, status: 'error', items: [] })).toMatchObject({ ok: true })
  expect(readProblem(contract.cron.save, { status: 'ok' })).toMatchObject(open)
  expect(readProblem(contract.cron.save, { success: '' })).toMatchObject(open)
})

test('after a 500 a service that denies success in a word says that nothing was done, like one that sends false', () => {
  for (const success of [false, 'false', 0]) {
    expect(readProblem(contract.cron.save, { success, message: quota }, 500)).toMatchObject({ code: 'upstream_failed' })
    expect(readProblem(contract.cron.save, { success, message: quota }, 502)).toMatchObject({ code: 'outcome_unknown' })
  }
})
