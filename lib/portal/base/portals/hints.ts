/** What portals of one database tell each other right away. A hint may be lost, so whoever hears none finds it out later. */
import 'server-only'
import { EventEmitter } from 'node:events'
import { processState } from '../process-state'
import { processLease } from './lease'
import { sharedDatabase } from './shared'

/** job: lines or the state of one were stored. presence: who looks at what. left: a portal has ended. */
type HintKind = 'job' | 'presence' | 'left'

export const channel = 'gatehouse'

type Hints = { heard: EventEmitter; hasOthers: boolean }

const hints = processState('hints', (): Hints => ({ heard: new EventEmitter().setMaxListeners(0), hasOthers: false }))

/** Nothing is sent while no other portal is there to hear it. */
export function noteOthers(hasOthers: boolean): void {
  hints().hasOthers = hasOthers
}

/** Calls `listener` with the text of each such hint of another portal, until the returned function is called. */
export function onHint(kind: HintKind, listener: (text: string) => void): () => void {
  hints().heard.on(kind, listener)
  return () => hints().heard.off(kind, listener)
}

/** Never rejects. text: without spaces at its ends, at most a few hundred characters. */
export async function sendHint(kind: HintKind, text: string): Promise<void> {
  const shared = hints().hasOthers ? sharedDatabase() : null
  // After the commit, outside any transaction: a notification within a transaction would make all others wait for its commit.
  await shared?.pool.query('SELECT pg_notify($1, $2)', [channel, `${kind} ${processLease()} ${text}`]).catch(() => {})
}

/** For what arrives on the channel. */
export function takeHint(payload: string): void {
  const [kind = '', from, ...text] = payload.split(' ')
  if (from !== processLease()) hints().heard.emit(kind, text.join(' '))
}
