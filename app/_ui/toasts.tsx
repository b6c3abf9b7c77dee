'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import { toastsWanted } from './toast'

const Toaster = dynamic(() => import('./toaster').then((module) => module.Toaster), { ssr: false })

/** Where notices appear. */
export function Toasts() {
  return useSyncExternalStore(toastsWanted.subscribe, toastsWanted.read, () => false) ? <Toaster /> : null
}
