import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { listAccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/access-requests', await listAccessRequests(actor)))

export const OPTIONS = methodNotAllowed
