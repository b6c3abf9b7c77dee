/** Sends what was approved for a chosen time. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { openHeld } from '@/lib/portal/spine/held/sealed'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { endHeld, erased, moveHeld } from './end'
import { approverGone, findApprover, keepApproved } from './kept'
import { altered, type SentHeld, sendClaimed } from './send'

const maxMs = 7 * 86_400_000
// Later than that it is not sent: what was right at night may be wrong in the morning.
const graceMs = 60 * 60_000
const everyMs = 15_000

/** Null for at once. */
export function readSendAt(text: string): Outcome<Date | null> {
  if (text === '') return { ok: true, data: null }
  const at = new Date(text)
  const refuse = (sentence: string) => ({ ok: false, problem: problem('invalid', { fields: { sendAt: sentence } }) }) as const
  if (Number.isNaN(at.getTime())) return refuse('Enter a date and a time such as 2026-11-28 14:05.')
  if (at.getTime() <= Date.now()) return refuse('Choose a time that is not over yet.')
  return at.getTime() > Date.now() + maxMs ? refuse('Choose a time within the next 7 days.') : { ok: true, data: at }
}

export const schedule = (by: Person, row: HeldRequest, sendAt: Date): Promise<Outcome<SentHeld>> =>
  keepApproved(by, row, { sendAt, state: 'approved', outcome: 'scheduled' })

export function sendDueRegularly(): void {
  setInterval(() => sendDue().catch((error: unknown) => log.error({ err: error }, 'approved requests could not be sent')), everyMs).unref()
}

/** Each is claimed before it is sent, so of two processes one sends it. */
export async function sendDue(): Promise<void> {
  for (const row of await db().heldRequest.findMany({ where: { state: 'approved', sendAt: { lte: new Date() } } })) {
    if (await moveHeld(row, 'approved', { ...erased, state: 'sending', sendAt: new Date() })) await sendOne(row)
  }
}

const missed = problem('too_slow', { sentence: 'Gatehouse did not run at the chosen time, so it was not sent. Ask again.' })

/** Whoever approved it has to be the second person still. */
async function sendOne(row: HeldRequest): Promise<void> {
  if ((row.sendAt?.getTime() ?? 0) + graceMs < Date.now()) return void (await endHeld(row, 'sending', { state: 'failed', why: missed }))
  const content = await openHeld(row)
  if (content === null) return void (await endHeld(row, 'sending', { state: 'failed', why: altered }))
  const approver = await findApprover(row, content)
  if (!approver) return void (await endHeld(row, 'sending', { state: 'failed', why: approverGone }))
  await sendClaimed(row, approver, approver.user.name)
}
