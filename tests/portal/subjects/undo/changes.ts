/** A server of a foreign service, undoable changes to it, and its state afterwards. */
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import type { CronJob } from '@/lib/portal/subjects/cron/job'
import { removeJob, replaceJob } from '@/lib/portal/subjects/cron/remove'
import { saveJob } from '@/lib/portal/subjects/cron/save'
import { removeRules } from '@/lib/portal/subjects/firewall/remove'
import { saveRule, toggleFirewall } from '@/lib/portal/subjects/firewall/save'
import { type Desk, openDesk } from '../../spine/desk'

export const job = (command: string, line = ''): CronJob => ({
  line,
  user: 'root',
  minute: '30',
  hour: '4',
  dom: '*',
  mon: '*',
  dow: '*',
  command,
})

export const rule = (port: string, v6 = '') => ({ id: '', port, protocol: 'tcp', v6, action: 'allow', from: 'any' })

const words = (port: string) => ({ action: 'allow', protocol: 'tcp', port, from: 'any' })

export type Bench = Desk & {
  /** The server as the service has it. */
  server: { cronjobs: Record<string, string>[]; rules: Record<string, string>[]; firewall: boolean }
  commands: () => (string | undefined)[]
  ports: () => string[]
  /** How often it was asked to change something. */
  posts: () => number
  /** Each kind of change, done by somebody; gives what takes it back. */
  change: Record<'deleteJob' | 'saveJob' | 'editJob' | 'deleteRule' | 'saveRule' | 'switch', (actor?: Actor) => Promise<string>>
}

/** With the jobs first and second, and the firewall on with rules for the ports 22 and 443. families: a rule that is saved is listed for IPv4 and IPv6. */
export async function openBench({ families = false, extensions = false } = {}): Promise<Bench> {
  const desk = await openDesk('operator', { extensions })
  const { serverId, upstreamId, upstream } = desk
  const server = upstream.model.servers.get(upstreamId)
  if (!server) throw new Error('The server was not added.')
  Object.assign(server, {
    families,
    cronjobs: [job('first', '1'), job('second', '2')],
    rules: [22, 443].map((port) => ({ ...rule(`${port}`), id: `${port}` })),
  })
  const undoOf = async (done: ReturnType<typeof removeJob>): Promise<string> => {
    const outcome = await done
    if (!outcome.ok || outcome.data.undo === null) throw new Error(`It cannot be undone: ${JSON.stringify(outcome)}`)
    return outcome.data.undo
  }
  const at = () => ({ serverId, requestId: createOpaqueId() })
  const by = desk.actor
  return {
    ...desk,
    server,
    commands: () => server.cronjobs.map(({ command }) => command),
    ports: () => server.rules.map(({ port, v6 }) => `${port}${v6}`),
    posts: () => upstream.calls.filter(({ method }) => method === 'POST').length,
    change: {
      deleteJob: (actor = by) => undoOf(removeJob(actor, at(), job('second', '2'))),
      saveJob: (actor = by) => undoOf(saveJob(actor, at(), job('third'))),
      editJob: (actor = by) => undoOf(replaceJob(actor, at(), job('second', '2'), job('changed'))),
      deleteRule: (actor = by) => undoOf(removeRules(actor, at(), [{ ...rule('443'), id: '443' }])),
      saveRule: (actor = by) => undoOf(saveRule(actor, at(), words('8080'))),
      switch: (actor = by) => undoOf(toggleFirewall(actor, at(), '0')),
    },
  }
}
