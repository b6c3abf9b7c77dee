'use client'

import { useEffect, useRef } from 'react'
import { readyToasts } from './toast'

/** A countdown that can be paused. */
type Countdown = {
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

const offeredMs = 10_000

/**
 * Reports what was done and offers to undo it for 10 s; the time pauses while it has the pointer or the focus. `undo` has to be the true
 * inverse of what was done. Alt T focuses it.
 */
export function offerUndo(message: string, undo: () => void): void {
  void readyToasts().then((show) =>
    show.custom(
      (id) => (
        <UndoToast
          message={message}
          onUndo={() => {
            show.dismiss(id)
            undo()
          }}
          onOver={() => show.dismiss(id)}
        />
      ),
      { duration: Number.POSITIVE_INFINITY },
    ),
  )
}

function UndoToast({ message, onUndo, onOver }: { message: string; onUndo: () => void; onOver: () => void }) {
  const countdown = useRef<Countdown>(null)
  const over = useRef(onOver)
  over.current = onOver
  useEffect(() => {
    countdown.current = startCountdown(offeredMs, () => over.current())
    return countdown.current.stop
  }, [])
  const pause = () => countdown.current?.pause()
  const resume = () => countdown.current?.resume()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only pauses the countdown
    <div
      onMouseEnter={pause}
      onMouseLeave={resume}
      onFocus={pause}
      onBlur={resume}
      className="-mx-4 -my-3 flex w-[calc(100%+32px)] min-w-0 shrink-0 items-center justify-between gap-3 px-4 py-3"
    >
      <span>{message}</span>
      <button
        type="button"
        onClick={onUndo}
        className="-my-1 inline-flex min-h-8 shrink-0 items-center rounded-control px-2 font-semibold text-accent"
      >
        Undo
      </button>
    </div>
  )
}
