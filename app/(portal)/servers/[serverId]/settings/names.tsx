import { Facts } from '@/app/_ui/facts'
import { Section } from '@/app/_ui/section'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { ServerDns, ServerPlainName } from '../edit-server'

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
