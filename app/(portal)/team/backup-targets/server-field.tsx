import { Field } from '@/app/_ui/field'
import { Select } from '@/app/_ui/input'
import type { ServerChoice } from '@/lib/portal/subjects/backup-targets/check-from-server'

/** The server that tests a target. */
export const ServerField = ({ servers }: { servers: readonly ServerChoice[] }) => (
  <Field
    name="serverId"
    label="Test from server"
    hint={servers.length === 0 ? 'There is no installed server from which you may test a target.' : undefined}
  >
    {(control) => (
      <Select {...control} disabled={servers.length === 0}>
        {servers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
