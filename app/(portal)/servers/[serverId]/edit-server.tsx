'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { AnyActionResult } from '@/app/_shared/forms/call-action'
import { EditInPlace } from '@/app/_shared/forms/edit-in-place'
import { read } from '@/app/_shared/reads/read'
import { portalRead } from '@/app/_shared/reads/read-address'
import { PageTitle } from '@/app/_ui/page-head'
import { note, serverName } from '@/lib/contract/fields'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { updateServer } from './actions'

/** Handles the answer to a change of what the list shows of a server: if the outcome is unknown, the list is read to find out. */
export function useSettledRow(): (answer: AnyActionResult) => Promise<void> {
  const router = useRouter()
  return async (answer) => {
    if (answer.ok || answer.problem.code !== 'outcome_unknown') return
    // If the list cannot be read either, its own page says so, and the next list settles it.
    await read(portalRead('/api/servers')).catch(() => undefined)
    router.refresh()
  }
}

type Part = {
  server: Pick<ServerRow, 'id'>
  field: 'name' | 'dns'
  label: string
  value: string
  required?: true
  inputClass?: string
  show: (value: string) => ReactNode
}

function EditServer({ server, ...part }: Part) {
  const settleRow = useSettledRow()
  return (
    <EditInPlace
      {...part}
      action={updateServer}
      target={{ serverId: server.id }}
      maxLength={(part.field === 'name' ? serverName : note).maxLength}
      refetch={[portalRead('/api/servers')]}
      onAnswer={settleRow}
    />
  )
}

/** The name in the header of a server's pages. */
export function ServerName({ server, may }: { server: Pick<ServerRow, 'id' | 'name'>; may: boolean }) {
  if (!may) return <PageTitle>{server.name}</PageTitle>
  return (
    <EditServer
      server={server}
      field="name"
      label="name"
      value={server.name}
      required
      inputClass="h-9 text-title font-strong tracking-[-0.015em]"
      show={(name) => <PageTitle>{name}</PageTitle>}
    />
  )
}

/** The name among other facts. */
export function ServerPlainName({ server }: { server: Pick<ServerRow, 'id' | 'name'> }) {
  const show = (name: string) => <span className="break-words">{name}</span>
  return <EditServer server={server} field="name" label="name" value={server.name} required show={show} />
}

/** The server's DNS provider, as a note. */
export function ServerDns({ server }: { server: Pick<ServerRow, 'id' | 'dns'> }) {
  const show = (dns: string) => (dns === '' ? <span className="text-muted">Not given</span> : <span className="break-words">{dns}</span>)
  return <EditServer server={server} field="dns" label="DNS provider" value={server.dns} show={show} />
}
