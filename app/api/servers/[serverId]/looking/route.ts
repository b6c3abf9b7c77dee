import { answerOutcome } from '@/app/api/answer-read'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findPresentMembers } from '@/lib/portal/subjects/servers/present-members'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor, _request, params) =>
  answerOutcome('/api/servers/[serverId]/looking', await findPresentMembers(actor, params.serverId ?? '')),
)

export const OPTIONS = methodNotAllowed
