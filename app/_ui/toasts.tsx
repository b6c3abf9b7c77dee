'use client'

import { useLate } from './late'
import { lateToaster, toastsReady } from './toast'

/** Where notices appear. */
export function Toasts() {
  const loaded = useLate(lateToaster)
  return loaded && <loaded.Toaster onReady={toastsReady} />
}
