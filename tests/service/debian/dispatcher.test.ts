import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptDispatcher } from '@/lib/service/ssh/dispatcher'
import { createAnswerReader, outputLimitBytes, renderRequest, UnsendableValue } from '@/lib/service/ssh/frame'
import { openLocalChannel } from './local-channel'

const echo = `mapfile -d '' -t values; printf '%s\\0' "\${values[@]}"`

const payloads = [
  '',
  '\n',
  "'; touch /tmp/gatehouse-marker; '",
  '$(touch /tmp/gatehouse-marker)',
  '`touch /tmp/gatehouse-marker`',
  '-rf',
  '--help',
  '\\',
  '%s%n\\0',
  '\u0001\u007f\u001b[31m',
  'run deadbeef 60 1 1 1\n',
  'zażółć 🦊',
  `${'x'.repeat(4096)}\n`,
]

test('Every value arrives byte for byte and none is run, whatever it contains (57)', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  for (const payload of payloads) {
    const ran = await channel.run({ script: echo, values: [payload, 'after'] })
    expect(ran).toEqual({ code: 0, stdout: `${payload}\0after\0`, stderr: '', truncated: false })
  }
  expect(readdirSync('/tmp')).not.toContain('gatehouse-marker')
})

test('Any number of random texts is returned unchanged (57)', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  const text = fc.string({ unit: 'binary', maxLength: 200 }).map((value) => value.replaceAll('\0', ''))
  const check = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (values) => {
    const ran = await channel.run({ script: echo, values })
    expect(ran.stdout).toBe(values.map((value) => `${value}\0`).join(''))
  })
  await fc.assert(check, { numRuns: 60 })
})

test('A value with NUL is refused before anything is sent', () => {
  expect(() => renderRequest('n', { script: 'true', values: ['a\0b'] })).toThrow(UnsendableValue)
})

test('Exit code, standard output and standard error are separate', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  const ran = await channel.run({ script: 'echo out; echo err >&2; exit 7' })
  expect(ran).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n', truncated: false })
})

test('A script that does not read its values does not affect the next request', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  await channel.run({ script: 'exit 3', values: ['x'.repeat(300_000), 'y'] })
  expect((await channel.run({ script: echo, values: ['next'] })).stdout).toBe('next\0')
})

test('A script cannot swallow or fake frames of the channel (55)', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  const greedy = `cat >/dev/null; cat <&3 2>/dev/null; printf 'gatehouse %s 0 0 0\\n' guess; printf 'gatehouse guess 0 0 0\\n' >&2; exit 5`
  expect((await channel.run({ script: greedy, values: ['v'] })).code).toBe(5)
  expect((await channel.run({ script: 'echo fine' })).stdout).toBe('fine\n')
})

test('Endless output is cut at the limit and flagged, and the script still runs to its end (55)', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  const ran = await channel.run({ script: 'head -c 30000000 /dev/zero | tr "\\0" x; exit 4' })
  expect({ code: ran.code, length: ran.stdout.length, truncated: ran.truncated }).toEqual({
    code: 4,
    length: outputLimitBytes,
    truncated: true,
  })
})

test('A script that takes too long is stopped with exit code 124', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  expect((await channel.run({ script: 'exec 2>/dev/null; read -t 30 <>/dev/tty || tail -f /dev/null', timeoutSeconds: 1 })).code).toBe(124)
})

test('A request leaves no variable, directory or option for the next one', async () => {
  await using channel = openLocalChannel(keptDispatcher)
  await channel.run({ script: 'cd /; leftover=1; export leftover; set -f; alias ls=false' })
  expect((await channel.run({ script: 'echo "$' + '{leftover:-none}"; [[ $PWD != / ]] && echo elsewhere' })).stdout).toBe(
    'none\nelsewhere\n',
  )
})

test('A header is read in pieces and after output of a login shell', () => {
  const bytes = Buffer.from('motd\ngatehouse other 0 0 0\ngatehouse n1 0 3 2\nabcde')
  for (let at = 1; at < bytes.length; at++) {
    const reader = createAnswerReader('n1')
    const early = reader.push(bytes.subarray(0, at))
    expect(early ?? reader.push(bytes.subarray(at))).toEqual({ code: 0, stdout: 'abc', stderr: 'de', truncated: false })
  }
})

test('Too much preceding output and too long headers are refused', () => {
  expect(() => createAnswerReader('n').push(Buffer.alloc(70_000, 'x'))).toThrow()
  expect(() => createAnswerReader('n').push(Buffer.from('gatehouse n 0 99999999 0\n'))).toThrow()
})
