/** Time that runs out unless it is held up. */
export type Countdown = {
  /** Rests from now on; what is left stays. Holding twice is holding once. */
  pause: () => void
  /** Goes on with what was left. */
  resume: () => void
  /** For good. */
  stop: () => void
}

/** Calls `onOver` once `ms` have passed in which nothing held it up. Runs at once. */
export function startCountdown(ms: number, onOver: () => void): Countdown {
  let left = ms
  let begun = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const pause = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    left -= Date.now() - begun
  }
  const resume = () => {
    if (timer !== undefined || left <= 0) return
    begun = Date.now()
    timer = setTimeout(() => {
      left = 0
      timer = undefined
      onOver()
    }, left)
  }
  resume()
  return {
    pause,
    resume,
    stop: () => {
      pause()
      left = 0
    },
  }
}
