import { Field } from '@/app/_ui/field'
import { Input, SecretInput } from '@/app/_ui/input'
import type { TargetKind } from '@/lib/portal/subjects/backup-targets/address'

/** The keys of a target: two of a bucket or an SFTP server, none of a folder. They are never shown, stored by the browser or sent back. */
export function KeyFields({ kind }: { kind: TargetKind }) {
  if (kind === 'folder') return null
  return kind === 's3' ? <BucketKeys /> : <SftpKeys />
}

const BucketKeys = () => (
  <>
    <KeyPair
      name="serverKey"
      legend="Server key"
      hint="Meant for servers. It may write, read and list, and must not delete: whoever breaks into a server could delete its copies."
    />
    <KeyPair name="maintenanceKey" legend="Maintenance key" hint="Meant for Gatehouse alone. It may read, list and delete." />
  </>
)

const SftpKeys = () => (
  <>
    <PrivateKey
      name="serverPrivateKey"
      label="Server key"
      hint="A private ED25519 key without a passphrase. Servers get it for each copy."
    />
    <PrivateKey
      name="maintenancePrivateKey"
      label="Maintenance key"
      hint="Another private key for the same user. The machine that runs the service deletes old copies with it, by SFTP. No server gets it."
    />
  </>
)

const PrivateKey = ({ name, label, hint }: { name: string; label: string; hint: string }) => (
  <Field name={name} label={label} hint={hint}>
    {(control) => <SecretInput {...control} maxLength={4096} placeholder="-----BEGIN OPENSSH PRIVATE KEY-----" />}
  </Field>
)

function KeyPair({ name, legend, hint }: { name: string; legend: string; hint: string }) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-small font-semibold">{legend}</legend>
      <p className="text-small text-muted">{hint}</p>
      <Field name={`${name}Id`} label={`${legend}: access key ID`}>
        {(control) => <Input {...control} code required maxLength={128} autoComplete="off" autoCapitalize="off" spellCheck={false} />}
      </Field>
      <Field name={`${name}Secret`} label={`${legend}: secret`}>
        {(control) => <SecretInput {...control} maxLength={256} />}
      </Field>
    </fieldset>
  )
}
