import type { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from '@/lib/portal/identity/next-auth'
import { methodNotAllowed } from '@/lib/portal/request/handler'
import { problemResponse } from '@/lib/portal/request/problem-response'
import { requireSameOrigin } from '@/lib/portal/request/same-origin'

type Context = { params: Promise<{ nextauth: string[] }> }

export async function GET(request: NextRequest, context: Context): Promise<Response> {
  return request.method === 'GET' ? NextAuth(request, context, authOptions()) : methodNotAllowed()
}

export async function POST(request: NextRequest, context: Context): Promise<Response> {
  const foreign = await requireSameOrigin()
  return foreign ? problemResponse(foreign) : NextAuth(request, context, authOptions())
}

export const OPTIONS = methodNotAllowed
