'use client'

import { useBrowserValue } from '../../_ui/browser-value'

const never = () => () => undefined

/** Whether shortcuts are pressed with Cmd here; the server says no. */
export const useMac = (): boolean => useBrowserValue(never, () => /Mac|iPhone|iPad/.test(navigator.userAgent), false)
