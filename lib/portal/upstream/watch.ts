/** The time limits of one call: until the answer begins, between two of its chunks, and in total. */
import 'server-only'
import type { Settings } from '@/lib/settings/settings'

/** read and change are answered immediately, slow when the work is done, stream while it is running. */
export type CallPace = 'read' | 'change' | 'slow' | 'stream'

/** Milliseconds. head: from the start of the call to the answer's headers or the first byte of its body. */
export type Limits = { headMs: number; idleMs: number; totalMs: number }

/**
 * Silence alone never ends a job: TCP keep-alive detects a service that has disappeared, and one that works may have nothing to report
 * for a long time.
 */
export function limitsOf(pace: CallPace, { readMs, changeMs, jobMs }: Pick<Settings, 'readMs' | 'changeMs' | 'jobMs'>): Limits {
  const ms = pace === 'read' ? readMs : pace === 'change' ? changeMs : jobMs
  return { headMs: ms, idleMs: ms, totalMs: ms }
}

/** The service exceeded a limit. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/** The caller no longer needs the answer. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

export type Watch = {
  /** Aborts with TooSlow or GivenUp as its reason. */
  signal: AbortSignal
  /** Call this for each chunk: restarts the idle limit, ends the head limit. */
  heard: () => void
  /** Pauses the idle limit until the next `heard`, while the portal itself is slow. */
  pause: () => void
  end: () => void
}

/** Starts the limits. `caller` is the caller's signal. */
export function startWatch(limits: Limits, caller?: AbortSignal): Watch {
  const controller = new AbortController()
  const late = () => controller.abort(new TooSlow('The other side was too slow.'))
  const leave = () => controller.abort(new GivenUp('The call was aborted.'))
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
