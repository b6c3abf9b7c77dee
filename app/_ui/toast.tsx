'use client'

/** Shows a toast at the bottom right. The code that renders toasts loads late, because most pages never need one. */

import type { ExternalToast, toast as show } from 'sonner'
import { lazy, useLazy } from './lazy'

type Show = typeof show

let announce: (show: Show) => void
const shower = new Promise<Show>((resolve) => {
  announce = resolve
})

const lazyToaster = lazy(() => import('./toaster'))

/** For the component that renders toasts: shows them from now on, including those requested before. */
const toastsReady = (show: Show): void => announce(show)

/** The function that shows toasts, as soon as it is loaded. */
export function readyToasts(): Promise<Show> {
  void lazyToaster.fetch()
  return shower
}

/** Reports what was done or, with `toast.error`, what failed, which stays until it is closed. Never a secret. */
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

/** Where toasts appear. */
export function Toasts() {
  const loaded = useLazy(lazyToaster)
  return loaded && <loaded.Toaster onReady={toastsReady} />
}
