'use client'

import { useOperation } from '@/app/_shared/reads/use-read'
import { Field } from '@/app/_ui/field'
import { SearchSelect } from '@/app/_ui/search-select'
import { bytesOf, formatSize } from '@/app/_ui/size'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'

type HostFieldProps = { hosts: readonly SiteHost[]; chosen: string; onChoose: (id: string) => void }

/** The server of the new site. */
export function HostField({ hosts, chosen, onChoose }: HostFieldProps) {
  const hint = (
    <>
      {chosen === '' ? null : <HostRoom serverId={chosen} />}
      Servers that are not installed yet are not listed.
    </>
  )
  return (
    <Field name="serverId" label="Server" hint={hint}>
      {(control) => <SearchSelect {...control} choices={choicesOf(hosts)} value={chosen} onChange={onChoose} />}
    </Field>
  )
}

const choicesOf = (hosts: readonly SiteHost[]) =>
  hosts.map(({ id, name, address }) => ({ value: id, label: name, note: address === name ? '' : address }))

const everyMs = 60_000

/** The free space of the chosen server, as its service reports it; nothing while that is not known. */
function HostRoom({ serverId }: { serverId: string }) {
  const { data } = useOperation('servers.summary', { serverId }, { everyMs })
  const { disk_free: free = '', disk_total: total = '' } = data?.item[0] ?? {}
  if (free === '') return null
  return (
    <span>
      {formatSize(free)} free{bytesOf(total) === null ? '' : ` of ${formatSize(total)}`}.{' '}
    </span>
  )
}
