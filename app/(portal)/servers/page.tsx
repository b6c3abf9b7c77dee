import type { Metadata } from 'next'
import { mayRun } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/servers/list'
import { ServersView } from './servers-view'

export const metadata: Metadata = { title: 'Servers' }

export default async function ServersPage() {
  const actor = await requireActor()
  return <ServersView first={{ ok: true, data: await listServers(actor) }} mayAdd={mayRun(actor.role, 'change')} />
}
