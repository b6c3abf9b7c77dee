'use server'

import { undoAction } from '@/lib/portal/subjects/undo/undo'

/** Takes `undoId`: what the change answered, and the id of its row in the record. */
export const undoChange = undoAction()
