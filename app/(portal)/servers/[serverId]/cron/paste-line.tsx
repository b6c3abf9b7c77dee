'use client'

import { useState } from 'react'
import { canBeSaved, readLine } from '@/lib/crontab/line'
import { Field } from '../../../../_ui/field'
import { Input } from '../../../../_ui/input'
import type { JobFields } from './job'

/** A whole line of a crontab, taken apart into the fields below as soon as it makes sense. */
export function PasteLine({ onRead }: { onRead: (job: Partial<JobFields>) => void }) {
  const [text, setText] = useState('')
  const job = readLine(text.trim())
  const hint =
    text.trim() === ''
      ? 'Fills in the fields below.'
      : job === null
        ? 'This is no whole line of a crontab yet: five times and a command.'
        : canBeSaved(job)
          ? 'Taken apart into the fields below.'
          : 'A % without a backslash begins the command’s input in a crontab. Here it would be part of the command, so look at it again.'
  return (
    <Field name="pasted" label="Paste a whole line" optional hint={<span role="status">{hint}</span>}>
      {(control) => (
        <Input
          {...control}
          code
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="30 4 * * * /usr/local/bin/backup"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            const read = readLine(event.target.value.trim())
            if (read) onRead({ ...read, command: read.command.replaceAll('\n', '%') })
          }}
        />
      )}
    </Field>
  )
}
