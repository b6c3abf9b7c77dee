/** Answers the forms of people who are not signed in a few at a time, so that a hundred sign-ins at once delay nobody else's requests. */
import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fewAtOnce, TooManyWaiting } from '@/lib/portal/base/few-at-once'
import { processState } from '@/lib/portal/base/process-state'
import { forwardedPeer } from '@/lib/portal/base/request/device'
import type { Refusal } from './refusals'

/** The last one waits about 20 s. */
const inTurn = fewAtOnce('signed-out forms', { atOnce: 2, maxWaiting: 200 })

/** How many of one network address run or wait, so that it cannot fill the queue for everybody else. */
const countsByPeer = processState('signed-out forms by peer', () => new Map<string, number>())
const maxPerPeer = 50

/** A form that waits for somebody else, such as a mail server or an identity provider, keeps nobody waiting for longer. */
const maxTurnMs = 500

const busy: Refusal = {
  status: 429,
  sentence: 'Too many sign-ins at the moment. Try again in a few seconds.',
  headers: { 'Retry-After': '5' },
}

/** Calls `answer` when it is the request's turn, unless the client has left by then. Returns at once why it cannot wait, or null. */
export async function answerInTurn(request: IncomingMessage, response: ServerResponse, answer: () => unknown): Promise<Refusal | null> {
  const counts = countsByPeer()
  const peer = forwardedPeer(request.headers['x-forwarded-for'])
  const count = counts.get(peer) ?? 0
  if (count >= maxPerPeer) return busy
  counts.set(peer, count + 1)
  try {
    let answered: Promise<unknown> | null = null
    await inTurn(async () => {
      if (response.destroyed) return
      answered = Promise.resolve(answer())
      await Promise.race([answered.catch(() => null), delay(maxTurnMs)])
    })
    await answered
    return null
  } catch (error) {
    if (error instanceof TooManyWaiting) return busy
    throw error
  } finally {
    const left = (counts.get(peer) ?? 1) - 1
    if (left === 0) counts.delete(peer)
    else counts.set(peer, left)
  }
}
