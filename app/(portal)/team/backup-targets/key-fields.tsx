import { Field } from '@/app/_ui/field'
import { Input, SecretInput } from '@/app/_ui/input'

/** Both keys of a target. They are never shown, stored by the browser or sent back. */
export const KeyFields = () => (
  <>
    <KeyPair
      name="serverKey"
      legend="Server key"
      hint="Meant for servers. It may write, read and list, and must not delete: whoever breaks into a server could delete its copies."
    />
    <KeyPair name="maintenanceKey" legend="Maintenance key" hint="Meant for Gatehouse alone. It may read, list and delete." />
  </>
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
