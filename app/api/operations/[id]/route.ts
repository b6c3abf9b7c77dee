import { findOperation } from '@/lib/contract'
import { type Outcome, problem, problemKinds } from '@/lib/contract/problem'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'
import { problemResponse } from '@/lib/portal/request/problem-response'
import { runOperation } from '@/lib/portal/run-operation'

export const dynamic = 'force-dynamic'

const statusOf = (outcome: Outcome<unknown>): number => (outcome.ok ? 200 : problemKinds[outcome.problem.code].status)

/** Runs a read of one server or site: /api/operations/servers.summary?server=ID. Other query members are its fields. */
export const GET = guardedGet(async (actor, request, params) => {
  const operation = findOperation(params.id ?? '')
  const aimed = operation && /\{(server|site)_id\}/.test(operation.path)
  if (operation?.effect !== 'read' || !aimed) return problemResponse(problem('not_found'))
  const { server, site, ...fields } = Object.fromEntries(new URL(request.url).searchParams)
  const target = { ...(server !== undefined && { serverId: server }), ...(site !== undefined && { siteId: site }) }
  const outcome = await runOperation(actor, operation, target, fields)
  return Response.json(outcome, { status: statusOf(outcome) })
})

export const OPTIONS = methodNotAllowed
