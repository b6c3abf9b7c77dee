/** A countdown that can be paused. */
export type Countdown = {
  /** Pauses; the remaining time stays. Pausing twice is the same as once. */
  pause: () => void
  /** Continues with the remaining time. */
  resume: () => void
  /** Stops for good. */
  stop: () => void
}

/** Calls `onOver` after `ms` of unpaused time. Starts immediately. */
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
