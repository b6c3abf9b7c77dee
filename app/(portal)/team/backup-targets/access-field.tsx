import { useState } from 'react'
import { CodeBlock } from '@/app/_ui/code-block'
import { Field } from '@/app/_ui/field'
import { Select } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import type { SftpAccess } from '@/lib/portal/subjects/backup-targets/address'
import { forcedCommand } from '@/lib/text/forced-command'

const accessNames: Readonly<Record<SftpAccess, string>> = {
  rclone: 'rclone: servers can’t delete copies',
  sftp: 'SFTP alone: servers can delete copies',
}

/** What a server that was broken into can do to copies, and what the SFTP server needs so that it cannot. folder: as typed. */
export function AccessField({ former, folder }: { former: SftpAccess; folder: string }) {
  const [access, setAccess] = useState(former)
  return (
    <>
      <Field name="access" label="Servers use">
        {(control) => (
          <Select {...control} value={access} onChange={({ target }) => setAccess(target.value as SftpAccess)}>
            {Object.entries(accessNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {access === 'sftp' ? (
        <Notice tone="warn" title="Whoever breaks into a server can delete its copies and those of other servers.">
          SFTP can’t keep the server key from deleting. Use rclone, or storage that makes snapshots.
        </Notice>
      ) : (
        <div className="flex flex-col gap-2 text-small">
          <p className="text-muted">
            On the SFTP server, install the package rclone, which receives the copies, and add these two lines to the authorized_keys of the
            user. Replace SERVER-KEY.pub and MAINTENANCE-KEY.pub with the contents of these files, the public keys. The first line lets the
            server key add and read copies, and keeps it from deleting them.
          </p>
          <CodeBlock text={linesFor(folder)} what="lines" />
        </div>
      )}
    </>
  )
}

/** What the form refuses is not shown as a command. */
const linesFor = (folder: string): string => {
  const shown = /^[\w./-]*$/.test(folder) ? folder.replace(/(?<=.)\/+$/, '') : 'FOLDER'
  return `${forcedCommand(shown)} SERVER-KEY.pub\nrestrict,command="internal-sftp" MAINTENANCE-KEY.pub`
}
