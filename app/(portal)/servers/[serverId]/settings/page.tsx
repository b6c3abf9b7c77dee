import { Suspense } from 'react'
import { WhoCanGrant } from '@/app/_shared/access/who-can-grant'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Section } from '@/app/_ui/section'
import { servers } from '@/lib/contract/operations/servers'
import { findOffers } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { DangerZone } from '../delete-server'
import { ServerDns, ServerPlainName } from '../edit-server'
import { readSummary } from '../find-page-server'
import { framedPage } from '../server-page'
import { Hostname } from './hostname'
import { Key } from './key'

type NamesProps = { server: Pick<ServerRow, 'id' | 'name' | 'dns'>; mayChange: boolean }

/** The display name, and a note about the DNS provider. Nothing on the server changes. */
export function Names({ server, mayChange }: NamesProps) {
  return (
    <Section title="In Gatehouse">
      <Facts
        facts={[
          { label: 'Name', value: server.name, ...(mayChange && { control: <ServerPlainName server={server} /> }) },
          { label: 'DNS provider', value: server.dns, ...(mayChange && { control: <ServerDns server={server} /> }) },
        ]}
      />
    </Section>
  )
}

const page = framedPage((name) => `Settings of ${name}`, Settings, [servers.update, servers.resetKey, servers.delete])

export const generateMetadata = page.generateMetadata
export default page.Page

async function Settings({ actor, subject: server }: { actor: Actor; subject: ServerRow }) {
  const offers = await findOffers(actor, { serverId: server.id })
  const mayChange = offers(servers.update)
  return (
    <>
      {mayChange ? null : (
        <Notice tone="info" title="You have view-only access.">
          <WhoCanGrant actor={actor} otherwise="A team owner, admin or operator can change this." />
        </Notice>
      )}
      <div className="flex max-w-[720px] flex-col gap-7">
        <Names server={server} mayChange={mayChange} />
        <Suspense fallback={<Hostname serverId={server.id} hostname={server.hostname} mayChange={false} />}>
          <KnownHostname server={server} mayChange={mayChange} />
        </Suspense>
        <Key serverId={server.id} name={server.name} hostKey={server.hostKey} mayReset={offers(servers.resetKey)} />
        {offers(servers.delete) ? <DangerZone serverId={server.id} name={server.name} /> : null}
      </div>
    </>
  )
}

/** A server that was just added is in no list with its hostname yet, so its summary is read. */
async function KnownHostname({ server, mayChange }: { server: ServerRow; mayChange: boolean }) {
  const summary = server.hostname === '' ? await readSummary(server.id) : null
  const hostname = summary?.ok ? summary.data.item[0].hostname : server.hostname
  return <Hostname serverId={server.id} hostname={hostname} mayChange={mayChange} />
}
