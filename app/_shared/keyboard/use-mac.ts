'use client'

import { useOutside } from '../../_ui/outside'

const never = () => () => undefined

/** Whether shortcuts are pressed with Cmd here; the server says no. */
export const useMac = (): boolean => useOutside(never, () => /Mac|iPhone|iPad/.test(navigator.userAgent), false)
