'use client'

import { Field } from '@/app/_ui/field'
import { SearchSelect } from '@/app/_ui/search-select'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { HostRoom } from './host-room'

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
