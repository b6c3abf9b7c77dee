'use client'

import { UserPlus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Invited } from '@/lib/portal/subjects/team/invitation-link'
import { ActionForm } from '../../_shared/forms/action-form'
import { StepUpField } from '../../_shared/session/step-up-field'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { TimeField } from '../../_ui/time-field'
import { inviteMember } from './actions'
import { InvitationSent } from './invitation-sent'
import { type OfferedRole, RoleField } from './role-field'

const buttonId = 'invite-member'

/** The button and its form; afterwards the link. */
export function InviteMember({ roles }: { roles: readonly OfferedRole[] }) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const done = (data: Invited) => {
    setOpen(false)
    setInvited(data)
    router.refresh()
  }
  const close = () => {
    setInvited(null)
    // Opened from another dialog, which is gone.
    requestAnimationFrame(() => document.getElementById(buttonId)?.focus())
  }
  return (
    <>
      <EarlyButton id={buttonId} variant="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden size={16} strokeWidth={1.5} />
        Invite member
      </EarlyButton>
      {open ? <InviteDialog roles={roles} onClose={() => setOpen(false)} onDone={done} /> : null}
      {invited ? <InvitationSent invited={invited} onClose={close} /> : null}
    </>
  )
}

type InviteDialogProps = { roles: readonly OfferedRole[]; onClose: () => void; onDone: (invited: Invited) => void }

function InviteDialog({ roles, onClose, onDone }: InviteDialogProps) {
  const start = roles.some(({ role }) => role === 'operator') ? 'operator' : 'viewer'
  const [role, setRole] = useState<string>(start)
  return (
    <Dialog open onOpenChange={onClose} title="Invite member" description={<p>The link works only for this address.</p>} firstField="email">
      <ActionForm action={inviteMember} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <Field name="email" label="Email">
              {(control) => <Input {...control} type="email" required maxLength={254} autoComplete="off" />}
            </Field>
            <RoleField roles={roles} start={start} onChange={setRole} />
            {role === 'guest' ? null : (
              <Field name="access" label="Access" hint="What the role allows, on these. You can change it on the page of the member.">
                {(control) => (
                  <Select {...control}>
                    <option value="everything">All servers and sites</option>
                    <option value="none">None at first</option>
                  </Select>
                )}
              </Field>
            )}
            <TimeField kind="date" name="endsOn" label="Last day" optional hint="The membership ends with this day (UTC)." />
            <StepUpField />
            <FormButtons label="Invite" busy="Inviting…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
