'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { Button } from '@/app/_ui/button'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Card, Section } from '@/app/_ui/section'
import { toast } from '@/app/_ui/toast'
import { hostname as hostnameField } from '@/lib/contract/fields'
import { setHostname } from '../actions'
import { useSettledRow } from '../edit-server'

type HostnameProps = { serverId: string; hostname: string; mayChange: boolean }

/** The server's own hostname. */
export function Hostname({ serverId, hostname, mayChange }: HostnameProps) {
  const [typed, setTyped] = useState(hostname)
  // Somebody else changed it meanwhile, and the user has read so: the next click overwrites.
  const [conflict, setConflict] = useState(false)
  const foreign = useForeign()
  const router = useRouter()
  const settleRow = useSettledRow()
  const next = typed.trim().toLowerCase()
  return (
    <Section title="Hostname">
      <Card className="p-4">
        <ActionForm
          action={setHostname}
          onAnswer={(answer) => {
            setConflict(!answer.ok && answer.problem.code === 'changed_meanwhile' && answer.problem.fields?.hostname !== undefined)
            return settleRow(answer)
          }}
          onDone={() => {
            toast(`Hostname changed to ${next}.`)
            router.refresh()
          }}
          className="flex flex-col gap-4"
        >
          {(pending) => (
            <>
              <input type="hidden" name="serverId" value={serverId} />
              {conflict ? null : <input type="hidden" name="opened.hostname" value={hostname} />}
              <Field
                name="hostname"
                label="Hostname"
                hint={
                  foreign
                    ? 'The server’s own name, such as web-1.example.org.'
                    : 'The server’s own name, such as web-1.example.org. Outgoing mail uses it, so it should exist in DNS.'
                }
              >
                {(control) => (
                  <Input
                    {...control}
                    {...limitsOf(hostnameField)}
                    code
                    required
                    disabled={!mayChange}
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                  />
                )}
              </Field>
              {mayChange ? (
                <div className="flex flex-wrap gap-2">
                  <Button type="submit" variant={conflict ? 'warn-solid' : 'outline'} disabled={pending || next === hostname}>
                    {pending ? 'Saving…' : conflict ? 'Overwrite' : 'Save hostname'}
                  </Button>
                  {conflict ? <Button onClick={() => location.reload()}>Keep theirs</Button> : null}
                </div>
              ) : null}
            </>
          )}
        </ActionForm>
      </Card>
    </Section>
  )
}
