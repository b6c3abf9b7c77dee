/** Asks for a short notice at the bottom right. What shows them is loaded with the first: most pages never need one. */
import type { ExternalToast, toast as show } from 'sonner'

type Show = typeof show

let wanted = false
const listeners = new Set<() => void>()
let announce: (show: Show) => void
const shower = new Promise<Show>((resolve) => {
  announce = resolve
})

/** For the place where notices appear: whether any was asked for yet. */
export const toastsWanted = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => wanted,
}

/** For the place where notices appear: from now on they can. */
export const toastsReady = (show: Show): void => announce(show)

/** What shows notices, as soon as it is there. */
export function readyToasts(): Promise<Show> {
  wanted = true
  for (const listener of listeners) listener()
  return shower
}

/** Says what was done or, by `toast.error`, what was not; never a secret. */
export const toast = Object.assign(
  (says: string, options: ExternalToast = {}) => {
    void readyToasts().then((show) => show(says, options))
  },
  {
    error: (says: string, options: ExternalToast = {}) => {
      void readyToasts().then((show) => show.error(says, options))
    },
  },
)
