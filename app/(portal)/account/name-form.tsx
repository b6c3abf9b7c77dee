'use client'

import { useRouter } from 'next/navigation'
import { Card } from '@/app/_ui/section'
import { ActionForm } from '../../_shared/forms/action-form'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import { rename } from './actions'

export function NameForm({ name }: { name: string }) {
  const router = useRouter()
  return (
    <Card className="p-4">
      <ActionForm
        action={rename}
        onDone={() => {
          toast('Your name was saved.')
          router.refresh()
        }}
        className="flex flex-col items-start gap-4"
      >
        {(pending) => (
          <>
            <Field name="name" label="Your name" hint="Your team sees it in jobs and activity." className="w-full">
              {(control) => <Input {...control} defaultValue={name} required maxLength={80} autoComplete="name" />}
            </Field>
            <Button type="submit" disabled={pending}>
              {pending ? 'Saving…' : 'Save name'}
            </Button>
          </>
        )}
      </ActionForm>
    </Card>
  )
}
