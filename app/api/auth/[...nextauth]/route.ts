import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { problem } from '@/lib/contract/problem'
import { authOptions } from '@/lib/portal/identity/next-auth'
import { methodNotAllowed } from '@/lib/portal/request/handler'
import { problemResponse } from '@/lib/portal/request/problem-response'
import { requireSameOrigin } from '@/lib/portal/request/same-origin'

type Context = { params: Promise<{ nextauth: string[] }> }

/** What next-auth has for password sign-in; its doors for other providers stay shut. */
const reads = new Set(['csrf', 'error', 'providers', 'session', 'signin', 'signout'])
const changes = new Set(['callback', 'signout'])

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  return request.method === 'GET' ? answer(reads, request, context) : methodNotAllowed()
}

export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const foreign = await requireSameOrigin()
  return foreign ? problemResponse(foreign) : answer(changes, request, context)
}

export const OPTIONS = methodNotAllowed

async function answer(offered: ReadonlySet<string>, request: NextRequest, context: Context): Promise<Response> {
  const [door = ''] = (await context.params).nextauth
  return offered.has(door) ? NextAuth(request, context, authOptions()) : problemResponse(problem('not_found'))
}
