'use client'

import { useLazy } from './lazy'
import { lazyToaster, toastsReady } from './toast'

/** Where toasts appear. */
export function Toasts() {
  const loaded = useLazy(lazyToaster)
  return loaded && <loaded.Toaster onReady={toastsReady} />
}
