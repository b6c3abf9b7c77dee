/** What the service sends to a server for a job, from its start to its end, counted without a server: each request as it would go through SSH. */
import { createServerJob, serverJobKinds } from '@/lib/service/machines/debian/install/job'
import { createDebianSites } from '@/lib/service/machines/debian/sites'
import type { SiteWork } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import { renderRequest } from '@/lib/service/ssh/frame'
import type { Request } from '@/lib/service/ssh/host-address'
import { siteWorks } from './site-works'

const address = { id: 'server-1', host: 'web-1.example.org', port: 22, user: 'root', hostKey: 'SHA256:x', privateKey: '' }
const nonce = '0'.repeat(32)
const lacksPackage = 74

/** A server that takes everything. lacking: it has to be sent the package first. */
function pretend(lacking: boolean) {
  const sent: Request[] = []
  let whole = !lacking
  const answer = (request: Request) => {
    sent.push(request)
    const begins = request.script.includes('exec /bin/bash')
    const code = begins && !whole ? lacksPackage : 0
    if (!begins) whole = true
    const stdout = request.values?.[2] === 'sites/prepare-sftp' ? 'ready\n' : 'started\t0\n'
    return Promise.resolve({ code, stdout, stderr: '', truncated: false })
  }
  const connections: Connections = {
    read: (_host, request) => answer(request),
    change: (_host, request) => answer(request),
    onNewConnection: (_host, request) => answer(request),
    async *stream(_host, request) {
      await answer(request)
      yield 'from\t0\n1\tStep\t100\tdone\tDone.\t\n'
      return 0
    },
    streamBytes: () => {
      throw new Error('No job sends bytes.')
    },
    addressOf: () => Promise.resolve('192.0.2.1'),
    drop: () => Promise.resolve(),
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  return { connections, bytes: () => sent.reduce((sum, request) => sum + renderRequest(nonce, request).length, 0) }
}

/** The bytes of a job on a site. */
export async function measureSiteJob(work: SiteWork, lacking = false): Promise<number> {
  const { connections, bytes } = pretend(lacking)
  const sites = createDebianSites(connections, address)
  const jobId = '123e4567-e89b-42d3-a456-426614174000'
  await sites.start(jobId, work)
  for await (const _line of sites.follow(jobId, 0, new AbortController().signal));
  await sites.forget(jobId)
  return bytes()
}

async function measureServerJob(kind: (typeof serverJobKinds)[number]): Promise<number> {
  const { connections, bytes } = pretend(false)
  const job = createServerJob(connections, address, kind)
  await job.start()
  for await (const _line of job.follow(0, new AbortController().signal));
  return bytes()
}

/** Bytes by kind of job, on sites and on servers: all that there are. */
export async function measureJobs(): Promise<ReadonlyMap<string, number>> {
  const measured = new Map<string, number>()
  for (const work of Object.values(siteWorks)) measured.set(work.kind, await measureSiteJob(work))
  for (const kind of serverJobKinds) measured.set(kind, await measureServerJob(kind))
  return measured
}
