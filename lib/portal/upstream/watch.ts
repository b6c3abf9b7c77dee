/** The clock of one call: how long until the answer begins, between two pieces of it, and in all. */
import 'server-only'

export type CallPace = 'quick' | 'slow' | 'stream'

/** Milliseconds. head: from the start of the call to the first byte of the answer's body or its headers' end. */
export type Limits = { headMs: number; idleMs: number; totalMs: number }

const minute = 60_000

/** A slow call is held open by the service and answered at the end, so its head may take as long as all of it. */
export const limitsByPace: Record<CallPace, Limits> = {
  quick: { headMs: 10_000, idleMs: 15_000, totalMs: minute },
  slow: { headMs: 30 * minute, idleMs: 90_000, totalMs: 30 * minute },
  stream: { headMs: 90_000, idleMs: 90_000, totalMs: 30 * minute },
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
  hold: () => void
  end: () => void
}

/** Starts the clocks. `caller` is the signal of whoever asked. */
export function startWatch(limits: Limits, caller?: AbortSignal): Watch {
  const controller = new AbortController()
  const late = () => controller.abort(new TooSlow('The other side was too slow.'))
  const leave = () => controller.abort(new GivenUp('The call was given up.'))
  const total = setTimeout(late, limits.totalMs)
  let pause = setTimeout(late, limits.headMs)
  if (caller?.aborted) leave()
  caller?.addEventListener('abort', leave)
  const hold = () => clearTimeout(pause)
  return {
    signal: controller.signal,
    hold,
    heard: () => {
      hold()
      pause = setTimeout(late, limits.idleMs)
    },
    end: () => {
      hold()
      clearTimeout(total)
      caller?.removeEventListener('abort', leave)
    },
  }
}
