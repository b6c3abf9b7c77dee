'use client'

import { useState } from 'react'
import { ActionForm } from '../../../../_shared/action-form'
import { useForeign } from '../../../../_shared/foreign-service'
import { createPassword } from '../../../../_shared/generated-password'
import { NewPasswordField } from '../../../../_shared/new-password-field'
import { ShownPassword } from '../../../../_shared/shown-password'
import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import { Notice } from '../../../../_ui/notice'
import { setDatabasePassword } from '../../actions'

type SetPasswordProps = { siteId: string; database: string; onClose: () => void }

/** Sets the password of a database, then shows it once and says which configurations got it too. */
export function SetPassword({ siteId, database, onClose }: SetPasswordProps) {
  const [password, setPassword] = useState(createPassword)
  const [rewritten, setRewritten] = useState<readonly string[] | null>(null)
  const foreign = useForeign()
  if (rewritten) {
    return (
      <ShownPassword title={`The password of ${database} was set`} value={password} onClose={onClose}>
        <Configurations rewritten={rewritten} />
      </ShownPassword>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Set password"
      description={
        foreign ? (
          `The service sets the password of ${database}. Apps that use the database may need it in their own configuration.`
        ) : (
          <>
            <strong className="font-semibold text-ink wrap-anywhere">{database}</strong> accepts only the new password from now on. If the
            site has WordPress, its configuration is updated too.
          </>
        )
      }
    >
      <ActionForm
        action={setDatabasePassword}
        onDone={(answer) => setRewritten(answer.rewritten ?? [])}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="siteId" value={siteId} />
            <NewPasswordField name="password" what="this database" value={password} onChange={setPassword} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending}>
                {pending ? 'Saving…' : 'Set password'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function Configurations({ rewritten }: { rewritten: readonly string[] }) {
  if (rewritten.length === 0)
    return <Notice tone="warn" title="Apps that use this database must get the new password in their own configuration." />
  return (
    <Notice tone="ok" title="The new password was also written to:">
      <ul>
        {rewritten.map((path) => (
          <li key={path} className="font-mono text-code break-all">
            {path}
          </li>
        ))}
      </ul>
      <p>Any other app that uses this database needs it in its own configuration.</p>
    </Notice>
  )
}
