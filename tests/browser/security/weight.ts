/** Requests that are large, deeply nested, slow or numerous: refused or delayed, while others are served as before. */
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { seededRuns } from '../../support/seeds'
import { type ActionAddress, codeOf, readAnswer } from './action-call'
import type { Estate } from './estate'
import { expectNoEffect } from './traces'

/** The arguments sent to an action: JSON under `0`, and fields next to it. */
const heavy: Readonly<Record<string, () => FormData>> = {
  'lists 100,000 deep': () => formOf(`[null,${'['.repeat(100_000)}${']'.repeat(100_000)}]`),
  'a megabyte of text': () => formOf(`[null,"${'x'.repeat(1_048_576)}"]`),
  'a megabyte of numbers': () => formOf(`[null,[1${',1'.repeat(524_288)}]]`),
  'a hundred thousand fields': () => formOf('[null,"$K2"]', 100_000),
}

function formOf(json: string, fields = 0): FormData {
  const form = new FormData()
  for (let at = 0; at < fields; at += 1) form.append(`_2_f${at}`, 'x')
  form.append('0', json)
  return form
}

type Packed = { body: Uint8Array; contentType: string }

/** Created before the clock starts, because it keeps this process busy, not the portal. */
async function pack(form: FormData): Promise<Packed> {
  const encoded = new Response(form)
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
}

/** Whether an action was refused; a connection closed before everything was sent counts as a refusal. */
async function isRefused(
  { caller }: Estate,
  { id, page }: ActionAddress,
  { body, contentType }: Packed,
  cookie?: string,
): Promise<boolean> {
  const headers = { origin: caller.origin, 'next-action': id, 'content-type': contentType }
  const answer = await caller.call(page, { method: 'POST', body, headers, cookie }).then(readAnswer, () => null)
  return answer === null || (codeOf(answer) === null ? answer.status >= 400 : codeOf(answer) !== 'ok')
}

type Lag = { maxMs: number }

/** The longest time another user waited for a small answer while `act` ran. */
async function lagDuring(estate: Estate, act: () => Promise<void>): Promise<Lag> {
  let [over, maxMs] = [false, 0]
  const watch = async () => {
    while (!over) {
      const began = performance.now()
      await estate.caller.call('/api/health')
      maxMs = Math.max(maxMs, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const watching = watch()
  try {
    await act()
  } finally {
    over = true
    await watching
  }
  return { maxMs }
}

const rest = () => new Promise<void>((resolve) => setTimeout(resolve, 300))

/** Compared with how long a busy machine makes everyone wait. It stalls occasionally; an effect of the request occurs every time. */
async function expectLittleLag(estate: Estate, what: string, act: () => Promise<void>): Promise<void> {
  const added: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { maxMs: usual } = await lagDuring(estate, rest)
    added.push((await lagDuring(estate, act)).maxMs - usual)
    if (Math.min(...added) < 200) return
  }
  expect([what, added]).toEqual([what, 'less than 200 ms once'])
}

const openSocket = (port: number, head: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head, () => resolve(socket)))
    socket.once('error', reject)
    socket.on('data', () => {})
  })

export function weight(estate: Estate): void {
  const { caller, place } = estate

  test.each(Object.entries(heavy))('security 28: %s are refused, and other users wait less than 200 ms longer', async (what, formWith) => {
    const { cookie } = await estate.join('ours', 'viewer')
    const packed = await pack(formWith())
    await expectNoEffect(estate, async () => {
      for (const sent of [cookie, undefined]) {
        await expectLittleLag(estate, what, async () => {
          expect([what, await isRefused(estate, estate.action('deleteServer'), packed, sent)]).toEqual([what, true])
        })
      }
    })
  })

  test('security 28: bodies sent byte by byte, and silent sockets, delay no other user', async () => {
    const head = `POST /sign-in HTTP/1.1\r\nHost: localhost:${place.port}\r\nOrigin: ${caller.origin}\r\nNext-Action: ${estate.action('signIn').id}\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n0`
    const sockets: Socket[] = []
    try {
      for (let n = 0; n < 50; n += 1) sockets.push(await openSocket(place.port, head))
      while (sockets.length < seededRuns(10_000)) sockets.push(await openSocket(place.port, ''))
      await expectLittleLag(estate, 'sockets', async () => {
        for (const socket of sockets.slice(0, 50)) socket.write('x')
        await rest()
      })
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
}
