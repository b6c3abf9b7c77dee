/** Time that runs out unless it is held up. */
export type Countdown = {
  /** Rests from now on; what is left stays. Holding twice is holding once. */
  hold: () => void
  /** Goes on with what was left. */
  letGo: () => void
  /** For good. */
  stop: () => void
}

/** Calls `onOver` once `ms` have passed in which nothing held it up. Runs at once. */
export function startCountdown(ms: number, onOver: () => void): Countdown {
  let left = ms
  let begun = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const hold = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    left -= Date.now() - begun
  }
  const letGo = () => {
    if (timer !== undefined || left <= 0) return
    begun = Date.now()
    timer = setTimeout(() => {
      left = 0
      timer = undefined
      onOver()
    }, left)
  }
  letGo()
  return {
    hold,
    letGo,
    stop: () => {
      hold()
      left = 0
    },
  }
}
