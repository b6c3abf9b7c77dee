import { findOperation } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { jsonResponse } from '@/lib/portal/base/request/whole-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { runOperation } from '@/lib/portal/subjects/spine'

export const dynamic = 'force-dynamic'

/** Runs a read of one server or site: /api/operations/servers.summary?server=ID. Other query parameters are its fields. */
export const GET = guardedGet(async (actor, request, params) => {
  const operation = findOperation(params.id ?? '')
  const hasTarget = operation && /\{(server|site)_id\}/.test(operation.path)
  if (operation?.effect !== 'read' || !hasTarget) return problemResponse(problem('not_found'))
  const { server, site, ...fields } = Object.fromEntries(new URL(request.url).searchParams)
  const target = { ...(server !== undefined && { serverId: server }), ...(site !== undefined && { siteId: site }) }
  const outcome = await runOperation(actor, operation, target, fields)
  return outcome.ok ? jsonResponse(outcome) : problemResponse(outcome.problem)
})

export const OPTIONS = methodNotAllowed
