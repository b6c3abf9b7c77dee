'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { portalRead } from '@/app/_shared/reads/read-address'
import { Button, ButtonLink } from '@/app/_ui/button'
import { ChoiceCards } from '@/app/_ui/choice-cards'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Waiting } from '@/app/_ui/skeleton'
import { toast } from '@/app/_ui/toast'
import { addConnection } from '../actions'
import { KeyField } from '../key-field'

const keepers = [
  { value: 'team', title: 'The team', description: 'All team members use it, within their role.' },
  {
    value: 'own',
    title: 'Only you',
    description: 'Only you use it, unless you lend it, and see the servers that only it lists. Admins can freeze and remove it.',
  },
] as const

/** `mayLend`: this user may also add connections for the whole team. */
export function AddConnectionForm({ mayLend }: { mayLend: boolean }) {
  const [keeper, setKeeper] = useState<'team' | 'own'>(mayLend ? 'team' : 'own')
  const router = useRouter()
  const done = ({ label, servers }: { label: string; servers: number }) => {
    toast(`${label} was added. It lists ${servers === 1 ? '1 server' : `${servers} servers`}.`)
    router.push('/keys')
  }
  return (
    <ActionForm action={addConnection} refetch={[portalRead('/api/servers')]} onDone={done} className="flex max-w-[640px] flex-col gap-6">
      {(pending) => (
        <>
          <Field name="label" label="Name" hint="Display name, such as the name of the provider.">
            {(control) => <Input {...control} required maxLength={60} autoComplete="off" />}
          </Field>
          <Field name="address" label="Address" hint="Base URL of the service, such as https://panel.example.org/api.">
            {(control) => (
              <Input
                {...control}
                code
                required
                maxLength={2048}
                inputMode="url"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
            )}
          </Field>
          <KeyField label="API key" hint="Tested by listing servers, then stored encrypted. It is never shown again." />
          {mayLend ? (
            <ChoiceCards legend="Owner" name="keeper" choices={keepers} value={keeper} onChange={setKeeper} />
          ) : (
            <>
              <input type="hidden" name="keeper" value="own" />
              <p className="text-small text-muted">Only you will use it. A team owner or admin can add one for the team.</p>
            </>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" disabled={pending}>
              Add connection
            </Button>
            <ButtonLink href="/keys">Cancel</ButtonLink>
            {pending ? <Waiting description="Testing the API key." /> : null}
          </div>
        </>
      )}
    </ActionForm>
  )
}
