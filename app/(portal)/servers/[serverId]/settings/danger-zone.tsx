'use client'

import { useState } from 'react'
import { useForeign } from '../../../../_shared/foreign-service'
import { Button } from '../../../../_ui/button'
import { Card } from '../../../../_ui/card'
import { Section } from '../../../../_ui/section'
import { DeleteServer } from '../delete-server'

/** What cannot be taken back stands last. */
export function DangerZone({ serverId, name }: { serverId: string; name: string }) {
  const foreign = useForeign()
  const [deleting, setDeleting] = useState(false)
  return (
    <Section title="Delete">
      <Card className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {foreign
            ? 'Removes the server from the service and from this list. What happens on the machine is up to the service.'
            : 'Takes the server off this list and our key and files off the machine. The machine itself, and what runs on it, stays.'}
        </p>
        <Button id="delete-server" variant="danger" onClick={() => setDeleting(true)}>
          Delete server
        </Button>
      </Card>
      <DeleteServer serverId={serverId} name={name} open={deleting} onOpenChange={setDeleting} />
    </Section>
  )
}
