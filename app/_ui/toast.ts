/** Asks for a short notice at the bottom right. What shows them comes late: most pages never need one. */
import type { ExternalToast, toast as show } from 'sonner'
import { lazy } from './lazy'

type Show = typeof show

let announce: (show: Show) => void
const shower = new Promise<Show>((resolve) => {
  announce = resolve
})

export const lazyToaster = lazy(() => import('./toaster'))

/** For the place where notices appear: from now on they can, those included that were asked for before. */
export const toastsReady = (show: Show): void => announce(show)

/** What shows notices, as soon as it is there. */
export function readyToasts(): Promise<Show> {
  void lazyToaster.fetch()
  return shower
}

/** Says what was done or, by `toast.error`, what was not: that stays until it is closed. Never a secret. */
export const toast = Object.assign(
  (message: string, options: ExternalToast = {}) => {
    void readyToasts().then((show) => show(message, options))
  },
  {
    error: (message: string, options: ExternalToast = {}) => {
      void readyToasts().then((show) => show.error(message, { duration: Number.POSITIVE_INFINITY, closeButton: true, ...options }))
    },
  },
)
