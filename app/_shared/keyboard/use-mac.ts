'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether shortcuts are pressed with Cmd here; the server says no. */
export const useMac = (): boolean =>
  useSyncExternalStore(
    never,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  )
