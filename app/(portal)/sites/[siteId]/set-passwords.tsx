'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import { SetPassword } from '@/app/_shared/passwords/set-password'
import { Notice } from '@/app/_ui/notice'
import { setDatabasePassword, setSftpPassword } from '../actions'

/** staging: of the staging copy of the site. */
type SetDatabasePasswordProps = { siteId: string; database: string; staging?: boolean; onClose: () => void }

/** Sets the password of a database, and says which configurations got it too. */
export function SetDatabasePassword({ siteId, database, staging = false, onClose }: SetDatabasePasswordProps) {
  const foreign = useForeign()
  return (
    <SetPassword
      action={setDatabasePassword}
      target={{ siteId, ...(staging && { staging: '1' }) }}
      field="password"
      what="this database"
      description={
        foreign ? (
          `The service sets the password of ${database}. Apps that use the database may need it in their own configuration.`
        ) : (
          <>
            <strong className="font-semibold text-ink wrap-anywhere">{database}</strong> accepts only the new password from now on.
            WordPress in the served folder gets it too. Any other app that uses this database stops working until you enter the new password
            in its own configuration.
          </>
        )
      }
      describeDone={({ rewritten = [] }) => ({
        title: `The password of ${database} was set`,
        next: <Configurations rewritten={rewritten} />,
      })}
      onClose={onClose}
    />
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
