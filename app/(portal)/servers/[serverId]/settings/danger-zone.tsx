'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { EarlyButton } from '@/app/_ui/early-button'
import { Card, Section } from '@/app/_ui/section'
import { DeleteServer } from '../delete-server'

/** Irreversible actions come last. */
export function DangerZone({ serverId, name }: { serverId: string; name: string }) {
  const foreign = useForeign()
  const [deleting, setDeleting] = useState(false)
  return (
    <Section title="Delete">
      <Card className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {foreign
            ? 'Removes the server from the service and from this list. The service decides what happens on the server.'
            : 'Removes the server from this list, and the SSH key and files of Gatehouse from the server. The server and everything that runs on it stay.'}
        </p>
        <EarlyButton id="delete-server" variant="danger" onClick={() => setDeleting(true)}>
          Delete server
        </EarlyButton>
      </Card>
      <DeleteServer serverId={serverId} name={name} open={deleting} onOpenChange={setDeleting} />
    </Section>
  )
}
