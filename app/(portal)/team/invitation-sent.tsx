'use client'

import type { Invited } from '@/lib/portal/subjects/team/invitation-link'
import { LinkDialog } from '../../_shared/dialogs/link-dialog'

/** The link of a new or resent invitation. */
export function InvitationSent({ invited: { email, link, mail }, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <LinkDialog
      title={mail === 'sent' ? 'Invitation sent' : 'Copy the invitation link'}
      description={<p>{formatMail[mail](email)} It works once, within 24 hours, and is not shown again.</p>}
      link={link}
      onClose={onClose}
    />
  )
}

const formatMail: Record<Invited['mail'], (email: string) => string> = {
  sent: (email) => `The link was mailed to ${email}.`,
  failed: (email) => `The mail to ${email} could not be sent. Send them this link yourself.`,
  off: (email) => `Send this link to ${email}.`,
}
