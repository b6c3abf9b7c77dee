'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { Button, type ButtonVariant } from '../../_ui/button'
import { join, leave } from './actions'

type TokenFormProps = { token: string; label: string; variant: ButtonVariant }

/** One button, which needs only the link. */
const TokenForm = ({ action, token, label, variant }: TokenFormProps & { action: typeof join }) => (
  <ActionForm action={action} className="flex flex-col gap-4">
    {(pending) => (
      <>
        <input type="hidden" name="token" value={token} />
        <Button type="submit" variant={variant} disabled={pending} className="w-full">
          {label}
        </Button>
      </>
    )}
  </ActionForm>
)

export const JoinForm = ({ token, role }: { token: string; role: string }) => (
  <TokenForm action={join} token={token} label={`Join as ${role}`} variant="primary" />
)

export const LeaveForm = ({ token }: { token: string }) => <TokenForm action={leave} token={token} label="Sign out" variant="outline" />
