import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { checkDomain } from '@/lib/portal/subjects/sites/domain-check'
import { answerOutcome } from '../answer-read'

export const dynamic = 'force-dynamic'

/** Where `?domain=` leads. */
export const GET = guardedGet(async (_actor, request) =>
  answerOutcome('/api/domain-check', await checkDomain(new URL(request.url).searchParams.get('domain') ?? '')),
)

export const OPTIONS = methodNotAllowed
