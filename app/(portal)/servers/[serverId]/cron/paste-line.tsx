'use client'

import { useState } from 'react'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { canBeSaved, readLine } from '@/lib/crontab/line'
import type { JobFields } from './job'

/** A whole crontab line, parsed into the fields below as soon as it is valid. */
export function PasteLine({ onRead }: { onRead: (job: Partial<JobFields>) => void }) {
  const [text, setText] = useState('')
  const job = readLine(text.trim())
  const hint =
    text.trim() === ''
      ? 'Fills in the fields below.'
      : job === null
        ? 'Not a complete cron line yet: enter five time fields and a command.'
        : canBeSaved(job)
          ? 'Copied into the fields below.'
          : 'In a crontab, a % without a backslash starts the command’s input. Here it becomes part of the command, so check it.'
  return (
    <Field name="pasted" label="Paste a cron line" optional hint={<span role="status">{hint}</span>}>
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
