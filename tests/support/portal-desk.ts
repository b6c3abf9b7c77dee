/** What a portal without pages answers over HTTP: its health, streams of jobs, and forms, which are run once as those of pages are. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { asLeader } from '@/lib/portal/base/portals/join'
import { answerHealth, isReady } from '@/lib/portal/entry/health'
import { type Person, recheckActor } from '@/lib/portal/identity/actor'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { startJob } from '@/lib/portal/jobs/start'
import { answerOnce } from '@/lib/portal/spine/submissions'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { runOperation } from '@/lib/portal/subjects/spine'

/** What somebody asks for. kind: rename sets the server's name at the service; label and unlabel change rows of the portal; install starts a job. */
export type DeskForm = { kind: 'rename' | 'label' | 'unlabel' | 'install'; serverId: string; name: string; requestId: string }

async function handIn(actor: Person, { kind, serverId, name, requestId: given }: DeskForm): Promise<object> {
  return answerOnce<object>([actor.user.id, kind], given, async (requestId) => {
    if (kind === 'install') return startJob(actor, contract.servers.install, { serverId }, {}, { requestId })
    if (kind === 'rename') {
      const outcome = await runOperation(actor, contract.servers.update, { serverId }, { name }, { requestId })
      return outcome.ok ? { ok: true, data: { requestId } } : outcome
    }
    const change = kind === 'label' ? 'add' : 'remove'
    return changeLabels(actor, { change, subjectKind: 'server', subjectIds: [serverId], label: name }, requestId)
  })
}

async function leads(): Promise<boolean> {
  let does = false
  await asLeader(async () => {
    does = true
  })
  return does
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/api/health') {
    const ready = await isReady()
    return answerHealth({ live: true, ready }, ready)
  }
  if (pathname === '/leads') return Response.json(await leads())
  const actor = await recheckActor(request.headers.get('x-session') ?? '')
  if (!actor) return new Response(null, { status: 401 })
  const jobId = /^\/api\/jobs\/([^/]+)\/events$/.exec(pathname)?.[1]
  if (jobId !== undefined) return watchJob(actor, jobId, request)
  if (pathname === '/running')
    return Response.json(await db().job.findMany({ where: { endedAt: null }, select: { id: true, serverId: true } }))
  return Response.json(await handIn(actor, (await request.json()) as DeskForm))
}

const listener = getRequestListener((request) => answer(request).catch(() => new Response(null, { status: 500 })), {
  overrideGlobalObjects: false,
})

/** For the portal's HTTP server. */
export const answerAtDesk = (request: IncomingMessage, response: ServerResponse): void => void listener(request, response)
