/** Requests that are large, deep, slow or countless: refused or waited for, while others are served as before. */
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { seededRuns } from '../../support/seeds'
import { callAction, codeOf, Form } from './action-call'
import type { Estate } from './estate'
import { expectNoEffect } from './traces'

const half = (text: string, times: number) => text.repeat(times)

/** Arguments of an action that cost the most to read. */
const heavy: Readonly<Record<string, () => unknown[]>> = {
  'lists 100,000 deep': () => [JSON.parse(`${half('[', 5_000)}${half(']', 5_000)}`)],
  'a megabyte of text': () => [null, 'x'.repeat(1_048_576)],
  'a megabyte of numbers': () => [null, Array.from({ length: 200_000 }, (_, at) => at % 10)],
  'a hundred thousand fields': () => [null, new Form(Array.from({ length: 100_000 }, (_, at): [string, string] => [`f${at}`, 'x']))],
}

type Lag = { longestMs: number }

/** How long somebody else waited at most for a small answer while `act` ran. */
async function lagDuring(estate: Estate, act: () => Promise<void>): Promise<Lag> {
  let [over, longestMs] = [false, 0]
  const watch = async () => {
    while (!over) {
      const began = performance.now()
      await estate.caller.call('/api/health')
      longestMs = Math.max(longestMs, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const watching = watch()
  await act()
  over = true
  await watching
  return { longestMs }
}

/** The machine itself stalls now and then; what a request does to others it does each time. */
async function expectLittleLag(estate: Estate, what: string, act: () => Promise<void>): Promise<void> {
  const lags: number[] = []
  for (let round = 0; round < 5; round += 1) {
    lags.push((await lagDuring(estate, act)).longestMs)
    if (Math.min(...lags) < 200) return
  }
  expect([what, Math.round(Math.min(...lags))]).toEqual([what, 'less than 200 ms'])
}

const openSocket = (port: number, head: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head, () => resolve(socket)))
    socket.once('error', reject)
    socket.on('data', () => {})
  })

export function weight(estate: Estate): void {
  const { caller, place } = estate

  test.each(Object.entries(heavy))('security 28: %s are refused, and others wait less than 200 ms', async (what, argumentsOf) => {
    const { cookie } = await estate.join('ours', 'viewer')
    await expectNoEffect(estate, async () => {
      for (const sent of [{ cookie }, {}]) {
        await expectLittleLag(estate, what, async () => {
          const answer = await callAction(caller, estate.action('deleteServer'), argumentsOf(), sent)
          expect([what, codeOf(answer) === null ? answer.status >= 400 : codeOf(answer) !== 'ok']).toEqual([what, true])
        })
      }
    })
  })

  test('security 28: bodies sent a byte at a time, and sockets that say nothing, keep nobody else waiting', async () => {
    const head = `POST /sign-in HTTP/1.1\r\nHost: localhost:${place.port}\r\nOrigin: ${caller.origin}\r\nNext-Action: ${estate.action('signIn').id}\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n0`
    const sockets: Socket[] = []
    try {
      for (let n = 0; n < 50; n += 1) sockets.push(await openSocket(place.port, head))
      while (sockets.length < seededRuns(10_000)) sockets.push(await openSocket(place.port, ''))
      await expectLittleLag(estate, 'sockets', async () => {
        for (const socket of sockets.slice(0, 50)) socket.write('x')
        await new Promise((resolve) => setTimeout(resolve, 300))
      })
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
}
