import type { NextRequest } from 'next/server'
import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { methodNotAllowed } from '@/lib/portal/entry/handler'
import { isOpenDoor } from '@/lib/portal/identity/auth-doors'
import { answerCallback } from '@/lib/portal/identity/single-sign-on/callback'
import { enterByProvider } from '@/lib/portal/subjects/team/enter-by-provider'

type Context = { params: Promise<{ nextauth: string[] }> }

export const GET = answer
export const OPTIONS = methodNotAllowed

export async function POST(request: NextRequest, context: Context): Promise<Response> {
  if (!(await isOpen(request, context))) return notFound()
  const foreign = await requireSameOrigin()
  return foreign ? problemResponse(foreign) : answer(request, context)
}

/** The one open path is the callback of single sign-on. Next also sends HEAD to GET. */
async function answer(request: NextRequest, context: Context): Promise<Response> {
  if (!(await isOpen(request, context))) return notFound()
  const { href } = await answerCallback(request.nextUrl.searchParams, enterByProvider)
  return new Response(null, { status: 302, headers: { location: href } })
}

const isOpen = async ({ method }: NextRequest, { params }: Context) => isOpenDoor(method, (await params).nextauth.join('/'))

const notFound = () => problemResponse(problem('not_found'))
