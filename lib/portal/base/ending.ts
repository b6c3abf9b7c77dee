/** Whether the portal's process is about to end: a balancer is to send nobody here, and streams end so that browsers go elsewhere. */
import 'server-only'
import { setMaxListeners } from 'node:events'
import { processState } from './process-state'

const ending = processState('ending', () => {
  const controller = new AbortController()
  // Each stream listens, and there may be many.
  setMaxListeners(0, controller.signal)
  return controller
})

/** Aborts once the process is about to end. */
export const endingSignal = (): AbortSignal => ending().signal

export function beginEnding(): void {
  ending().abort()
}
