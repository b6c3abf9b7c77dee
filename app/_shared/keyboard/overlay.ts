'use client'

import { createSharedValue } from '../../_ui/shared-value'

/** The overlay over the page, opened by keys or by a button anywhere. */
export type Overlay = 'palette' | 'shortcuts' | null

const open = createSharedValue<Overlay>(null)

export const openOverlay = open.set

export const useOverlay = open.useValue
