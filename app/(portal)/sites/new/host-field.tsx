'use client'

import { useState } from 'react'
import { countOf } from '@/app/_ui/count'
import { Field } from '@/app/_ui/field'
import { Input, Select } from '@/app/_ui/input'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { HostRoom } from './host-room'

type HostFieldProps = { hosts: readonly SiteHost[]; chosen: string; onChoose: (id: string) => void }

/** More than this are hard to find in a menu, so a filter is offered. */
const maxPlain = 30
const maxOffered = 100

/** The server of the new site. */
export function HostField({ hosts, chosen, onChoose }: HostFieldProps) {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = hosts.filter(({ name, address }) => words.every((word) => `${name} ${address}`.toLowerCase().includes(word)))
  // The chosen one stays, so that filtering does not choose another.
  const offered = [...hosts.filter(({ id }) => id === chosen), ...fitting.filter(({ id }) => id !== chosen)].slice(0, maxOffered)
  const listed =
    hosts.length <= maxPlain ? 'Servers that are not installed yet are not listed.' : `${countOf(fitting.length, 'server')} found.`
  const hint = (
    <>
      {chosen === '' ? null : <HostRoom serverId={chosen} />}
      {listed}
    </>
  )
  return (
    <Field name="serverId" label="Server" hint={hint}>
      {(control) => (
        <div className="flex flex-col gap-2">
          {hosts.length > maxPlain ? (
            <Input
              type="search"
              aria-label="Filter servers"
              placeholder="Filter by name or address"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          ) : null}
          <Select {...control} required value={chosen} onChange={(event) => onChoose(event.target.value)}>
            {offered.map(({ id, name, address }) => (
              <option key={id} value={id}>
                {address === '' || address === name ? name : `${name} (${address})`}
              </option>
            ))}
          </Select>
        </div>
      )}
    </Field>
  )
}
