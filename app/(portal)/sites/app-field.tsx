'use client'

import { useEffect } from 'react'
import { useOperation } from '../../_shared/reads/use-read'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'

type AppFieldProps = {
  /** A site whose service is asked for its apps. */
  siteId: string
  value: string
  onChange: (app: string) => void
}

/** Which app to install: one that the service offers, or its name if the service does not say which apps it has. */
export function AppField({ siteId, value, onChange }: AppFieldProps) {
  const { data, problem } = useOperation('apps.get', { siteId }, { everyMs: 60_000 })
  const offered = data?.item[0]?.catalogue
  const first = offered?.[0]?.app
  const known = offered?.some(({ app }) => app === value) ?? true
  useEffect(() => {
    if (first !== undefined && !known) onChange(first)
  }, [first, known, onChange])
  if (data === null && problem === null) {
    return (
      <Field name="app" label="App">
        {(control) => (
          <Select {...control} required>
            <option value="">Reading the apps…</option>
          </Select>
        )}
      </Field>
    )
  }
  if (!offered || first === undefined) {
    return (
      <Field name="app" label="App" hint="Its name, such as wordpress.">
        {(control) => <Input {...control} code required value={value} onChange={(event) => onChange(event.target.value)} />}
      </Field>
    )
  }
  return (
    <Field name="app" label="App">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {offered.map(({ app, title, version }) => (
            <option key={app} value={app}>
              {title} {version}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
