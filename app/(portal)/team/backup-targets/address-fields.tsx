import { useState } from 'react'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import type { TargetKind } from '@/lib/portal/subjects/backup-targets/address'
import { AccessField } from './access-field'

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** Where a target of each kind is. onChange: a host key that was shown before may be of another server. */
export function AddressFields({ kind, onChange }: { kind: TargetKind; onChange: () => void }) {
  if (kind === 's3') return <BucketFields />
  return kind === 'sftp' ? <SftpFields onChange={onChange} /> : <FolderFields />
}

const BucketFields = () => (
  <>
    <Field name="endpoint" label="Address" hint="The S3 endpoint of the provider, such as https://s3.eu-central-1.amazonaws.com.">
      {(control) => <Input {...control} {...plain} code required maxLength={2048} />}
    </Field>
    <Field name="region" label="Region" optional hint="us-east-1 if the provider names none.">
      {(control) => <Input {...control} {...plain} code maxLength={40} />}
    </Field>
    <div className="grid gap-4 tablet:grid-cols-2">
      <Field name="bucket" label="Bucket" hint="Turn on versioning.">
        {(control) => <Input {...control} {...plain} code required maxLength={63} />}
      </Field>
      <Field name="folder" label="Folder" optional hint="Empty: the whole bucket.">
        {(control) => <Input {...control} {...plain} code maxLength={200} />}
      </Field>
    </div>
  </>
)

function SftpFields({ onChange }: { onChange: () => void }) {
  const [folder, setFolder] = useState('')
  return (
    <>
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field name="host" label="Host">
          {(control) => <Input {...control} {...plain} code required maxLength={253} onChange={onChange} />}
        </Field>
        <Field name="port" label="Port" optional hint="22 if it is empty.">
          {(control) => <Input {...control} {...plain} code inputMode="numeric" maxLength={5} onChange={onChange} />}
        </Field>
      </div>
      <div className="grid gap-4 tablet:grid-cols-2">
        <Field name="user" label="User">
          {(control) => <Input {...control} {...plain} code required maxLength={64} />}
        </Field>
        <Field name="path" label="Folder" optional hint="Empty: where the user signs in.">
          {(control) => <Input {...control} {...plain} code maxLength={200} onChange={({ target }) => setFolder(target.value)} />}
        </Field>
      </div>
      <AccessField former="rclone" folder={folder} />
    </>
  )
}

const FolderFields = () => (
  <Field name="path" label="Folder" hint="A path from the root, such as /mnt/backups, where storage is mounted.">
    {(control) => <Input {...control} {...plain} code required maxLength={200} />}
  </Field>
)
