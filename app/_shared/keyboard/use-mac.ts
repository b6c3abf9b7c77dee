'use client'

import { useBrowserValue } from '../../_ui/browser-value'

const never = () => () => undefined

/** Whether shortcuts use Cmd here; false on the server. */
export const useMac = (): boolean => useBrowserValue(never, () => /Mac|iPhone|iPad/.test(navigator.userAgent), false)
