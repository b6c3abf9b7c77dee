import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/notifications', await listNotifications(actor)))

export const OPTIONS = methodNotAllowed
