'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import { SetPassword } from '@/app/_shared/passwords/set-password'
import { setSftpPassword } from '../actions'

/** staging: for the staging copy of the site. */
type SetSftpPasswordProps = { siteId: string; user: string; staging?: boolean; onClose: () => void }

/** Sets the password for uploads. */
export function SetSftpPassword({ siteId, user, staging = false, onClose }: SetSftpPasswordProps) {
  const foreign = useForeign()
  return (
    <SetPassword
      action={setSftpPassword}
      target={{ siteId, ...(staging && { staging: '1' }) }}
      field="pass"
      what="this user"
      description={
        foreign ? (
          `The service sets the password of ${user}.`
        ) : (
          <>
            <strong className="font-semibold text-ink wrap-anywhere">{user}</strong> signs in by SFTP only with the new password from now
            on. Open sessions stay signed in.
          </>
        )
      }
      describeDone={() => ({ title: `The password of ${user} was set` })}
      onClose={onClose}
    />
  )
}
