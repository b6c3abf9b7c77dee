import { isReady } from '@/lib/portal/entry/health'

export const dynamic = 'force-dynamic'

const headers = { 'cache-control': 'no-store' }

/** For monitoring. live: this process answers. ready: its database does too. */
export async function GET(request: Request): Promise<Response> {
  if (request.method !== 'GET') return OPTIONS()
  const ready = await isReady()
  return Response.json({ live: true, ready }, { status: ready ? 200 : 503, headers })
}

export async function OPTIONS(): Promise<Response> {
  return new Response(null, { status: 405, headers: { ...headers, allow: 'GET' } })
}
