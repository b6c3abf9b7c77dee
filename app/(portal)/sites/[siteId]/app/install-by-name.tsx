'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { installApp } from './actions'
import { type AppChange, controlIds, followChange } from './use-app-changes'

type InstallByNameProps = { siteId: string; busy: boolean; install: AppChange }

/** For a service that does not say which apps it has. */
export const InstallByName = ({ siteId, busy, install }: InstallByNameProps) => (
  <Card className="p-4">
    <ActionForm
      action={installApp}
      refetch={install.starting}
      onDone={(started) => followChange(install, started, 'The app was installed.')}
      className="flex max-w-[520px] flex-col gap-4"
    >
      {(pending) => (
        <>
          <input type="hidden" name="siteId" value={siteId} />
          <Field
            name="app"
            label="Name of the app"
            hint="The service found no app on this site and does not list what it can install. It decides what happens to files of the site."
          >
            {(control) => (
              <Input
                {...control}
                code
                required
                maxLength={64}
                placeholder="wordpress"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
            )}
          </Field>
          <div>
            <Button id={controlIds.install} type="submit" disabled={pending || busy}>
              Install app
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  </Card>
)
