/** Calls each origin it is given and prints the replies as JSON: a process of its own, since trust is settled at its start. */
import { closeAgents } from '@/lib/portal/upstream/agents'
import { send } from '@/lib/portal/upstream/egress'

const replies = []
for (const origin of process.argv.slice(2)) {
  const key = Buffer.from('gh_tls-caller-key')
  replies.push(
    await send({ credentialId: origin, address: { origin, basePath: '' }, key }, { method: 'GET', path: '/servers/' }, { pace: 'read' }),
  )
}
await closeAgents()
process.stdout.write(JSON.stringify(replies))
