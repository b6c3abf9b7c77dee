/** The clock of one call: how long until the answer begins, between two pieces of it, and in all. */
import 'server-only'
import type { Settings } from '@/lib/settings/settings'

/** read and change are answered at once. slow is answered when the work is over, stream while it goes on. */
export type CallPace = 'read' | 'change' | 'slow' | 'stream'

/** Milliseconds. head: from the start of the call to the first byte of the answer's body or its headers' end. */
export type Limits = { headMs: number; idleMs: number; totalMs: number }

/**
 * Silence alone ends no job: TCP keep-alive notices a service that is gone, and one that is there may have nothing to say
 * for long.
 */
export function limitsOf(pace: CallPace, { readMs, changeMs, jobMs }: Pick<Settings, 'readMs' | 'changeMs' | 'jobMs'>): Limits {
  const ms = pace === 'read' ? readMs : pace === 'change' ? changeMs : jobMs
  return { headMs: ms, idleMs: ms, totalMs: ms }
}

/** The other side let a limit pass. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** Whoever asked for the call no longer wants it. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

export type Watch = {
  /** Aborts with TooSlow or GivenUp as its reason. */
  signal: AbortSignal
  /** A piece of the answer came: the idle clock starts anew, the head's clock ends. */
  heard: () => void
  /** We are the slow side: the idle clock stands still until the next `heard`. */
  pause: () => void
  end: () => void
}

/** Starts the clocks. `caller` is the signal of whoever asked. */
export function startWatch(limits: Limits, caller?: AbortSignal): Watch {
  const controller = new AbortController()
  const late = () => controller.abort(new TooSlow('The other side was too slow.'))
  const leave = () => controller.abort(new GivenUp('The call was given up.'))
  const total = setTimeout(late, limits.totalMs)
  let silence = setTimeout(late, limits.headMs)
  if (caller?.aborted) leave()
  caller?.addEventListener('abort', leave)
  const pause = () => clearTimeout(silence)
  return {
    signal: controller.signal,
    pause,
    heard: () => {
      pause()
      silence = setTimeout(late, limits.idleMs)
    },
    end: () => {
      pause()
      clearTimeout(total)
      caller?.removeEventListener('abort', leave)
    },
  }
}
