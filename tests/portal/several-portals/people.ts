/** People who change things one after the other, and send a form again whose answer was lost, as somebody does who clicks twice. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from '@/lib/contract/problem'
import type { DeskForm } from '@/tests/support/portal-desk'
import { ask } from './ask'

/** sent: how often. acknowledged: a portal said that it was done; then with the id of the request in the audit log, and of the job that it started. */
export type Change = { kind: DeskForm['kind']; name: string; sent: number; acknowledged: boolean; requestId?: string; jobId?: string }

type Done = Pick<Change, 'requestId' | 'jobId'>

export type Person = { sessionId: string; serverId: string; name: string }

const pauseMs = 700
/** Whoever heard nothing so often gives up. */
const attempts = 3

/** Sends one form until it is answered, and resolves with what became of it. */
export async function handIn(port: number, sessionId: string, form: Omit<DeskForm, 'requestId'>, changes: Change[]): Promise<Change> {
  const body = { ...form, requestId: randomBytes(16).toString('base64url') }
  const { kind, name } = form
  const change: Change = { kind, name, sent: 0, acknowledged: false }
  changes.push(change)
  while (change.sent < attempts) {
    change.sent += 1
    const outcome = await ask<Outcome<Done>>({ port, path: '/forms', sessionId, body })
    if (outcome?.ok) return Object.assign(change, outcome.data, { acknowledged: true })
    // Such as: it was already sent. What became of it is in the audit log.
    if (outcome) return change
    await delay(300)
  }
  return change
}

/** Renames a server, labels it, and takes that label off, until `isOver`. */
export async function changeThings(port: number, { sessionId, serverId, name }: Person, isOver: () => boolean, changes: Change[]) {
  for (let number = 1; !isOver(); number += 1) {
    const named = { serverId, name: `${name}-${number}` }
    for (const kind of ['rename', 'label', 'unlabel'] as const) {
      await handIn(port, sessionId, { kind, ...named }, changes)
      await delay(pauseMs * (0.5 + Math.random()))
    }
  }
}
