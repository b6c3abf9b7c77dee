'use server'

import { undoAction } from '@/lib/portal/entry/undoable'

/** Takes `undoId`: the id that the change returned, which is its request id in the audit log. */
export const undoChange = undoAction()
