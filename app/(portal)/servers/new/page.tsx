import type { Metadata } from 'next'
import { mayRun } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/servers/list'
import { ButtonLink } from '../../../_ui/button'
import { Notice } from '../../../_ui/notice'
import { PageBody, PageHead } from '../../../_ui/page-head'
import { SandboxDozenButton } from '../sandbox-dozen-button'
import { AddServerForm } from './add-server-form'

export const metadata: Metadata = { title: 'Add server' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AddServerPage({ searchParams }: Search) {
  const actor = await requireActor()
  const [{ provider }, { connections }] = await Promise.all([searchParams, listServers(actor)])
  const sandbox = connections.find(({ kind, state }) => kind === 'bundled' && state !== 'rejected' && state !== 'locked')
  const usable = connections.filter((connection) => connection.state !== 'rejected' && connection.state !== 'locked')
  return (
    <>
      <PageHead
        trail={[{ href: '/servers', name: 'Servers' }]}
        title="Add server"
        actions={sandbox && mayRun(actor.role, 'change') ? <SandboxDozenButton connectionId={sandbox.id} /> : null}
      />
      <PageBody>
        {mayRun(actor.role, 'change') ? (
          <AddServerForm
            startWith={provider === 'sandbox' ? 'sandbox' : 'ssh'}
            connections={usable.map(({ id, label }) => ({ id, label }))}
          />
        ) : (
          <Notice tone="info" title="Your role is to look on." action={<ButtonLink href="/servers">Back to the servers</ButtonLink>}>
            An owner, admin or operator of the team can add a server.
          </Notice>
        )}
      </PageBody>
    </>
  )
}
