/** Wraps all route handlers that read: GET only, signed-in users only, never cached. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { readBuildId } from '@/lib/portal/base/build-id'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { findPollingActor, type Person } from '@/lib/portal/identity/actor'

export type Params = Readonly<Record<string, string>>

/** A route without a placeholder in its path gets no params at all. */
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>

/**
 * Wraps `handler` as a route's GET. Next also passes HEAD to GET and answers OPTIONS itself, so routes export `OPTIONS =
 * methodNotAllowed` as well. Pages repeat reads automatically, so reads do not keep a session alive.
 */
export function guardedGet(handler: (actor: Person, request: Request, params: Params) => Promise<Response>): RouteHandler {
  return async (request, context) => {
    if (request.method !== 'GET') return methodNotAllowed()
    const site = request.headers.get('sec-fetch-site')
    if (site === 'cross-site' || site === 'same-site') return problemResponse(problem('cross_origin'))
    try {
      const actor = await findPollingActor(request)
      if (!actor) return problemResponse(problem('signed_out'))
      const response = await handler(actor, request, singleValues((await context.params) ?? {}))
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
      response.headers.set('gatehouse-build', readBuildId())
      return response
    } catch (error) {
      log.error({ err: error, path: new URL(request.url).pathname }, 'a route handler failed')
      return problemResponse(problem('internal', { sentence: 'Something went wrong in Gatehouse.' }))
    }
  }
}

/** The response to all other methods. */
export async function methodNotAllowed(): Promise<Response> {
  const response = problemResponse(problem('method_not_allowed'))
  response.headers.set('allow', 'GET')
  return response
}

const singleValues = (params: Record<string, string | string[] | undefined>): Params =>
  Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
