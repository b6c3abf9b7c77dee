'use client'

import { useId } from 'react'
import { useFormState } from '@/app/_ui/form-state'
import { Input, Select } from '@/app/_ui/input'
import { formatTimes, isNickname, type Times, timeNames } from '@/lib/crontab/times'

const labels = { minute: 'Minute', hour: 'Hour', dom: 'Day', mon: 'Month', dow: 'Weekday' } as const

const presets: readonly { label: string; times: string }[] = [
  { label: 'Every 5 minutes', times: '*/5 * * * *' },
  { label: 'Every hour', times: '0 * * * *' },
  { label: 'Every day at 04:30', times: '30 4 * * *' },
  { label: 'Every weekday at 09:00', times: '0 9 * * 1-5' },
  { label: 'Every Monday at 06:00', times: '0 6 * * 1' },
  { label: 'Every first of the month', times: '0 3 1 * *' },
  { label: 'When the server starts', times: '@reboot' },
]

function timesOf(text: string): Times {
  const [minute = '', hour = '', dom = '', mon = '', dow = ''] = text.split(' ')
  return { minute, hour, dom, mon, dow }
}

/** The five fields side by side as in a crontab, with presets for common schedules. */
export function TimesFields({ times, onChange }: { times: Times; onChange: (times: Partial<Times>) => void }) {
  const id = useId()
  const { errors } = useFormState()
  const now = formatTimes(times)
  const refused = timeNames.filter((name) => errors[name])
  const named = times.minute.startsWith('@')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">Schedule</legend>
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-preset`} className="text-small font-semibold">
          How often
        </label>
        <Select
          id={`${id}-preset`}
          value={presets.some((preset) => preset.times === now) ? now : ''}
          onChange={(event) => event.target.value && onChange(timesOf(event.target.value))}
        >
          <option value="">Custom</option>
          {presets.map((preset) => (
            <option key={preset.times} value={preset.times}>
              {preset.label}
            </option>
          ))}
        </Select>
      </div>
      <div className="grid grid-cols-5 gap-1.5">
        {timeNames.map((name) => (
          <div key={name} className="flex min-w-0 flex-col gap-1">
            <label htmlFor={`${id}-${name}`} className="text-small">
              {labels[name]}
            </label>
            <Input
              id={`${id}-${name}`}
              name={name}
              code
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              // A nickname such as @daily replaces all five fields; the other four are sent empty.
              readOnly={named && name !== 'minute'}
              aria-invalid={errors[name] ? true : undefined}
              aria-describedby={refused.length > 0 ? `${id}-errors` : undefined}
              value={times[name]}
              onChange={(event) => onChange(withTime(times, name, event.target.value))}
            />
          </div>
        ))}
      </div>
      {refused.length > 0 ? (
        <ul id={`${id}-errors`} className="text-small text-danger">
          {refused.map((name) => (
            <li key={name}>
              {labels[name]}: {errors[name]}
            </li>
          ))}
        </ul>
      ) : null}
    </fieldset>
  )
}

/** Switching to a nickname empties the other fields, switching back fills them. */
function withTime(times: Times, name: keyof Times, text: string): Times {
  if (name !== 'minute') return { ...times, [name]: text }
  if (text.startsWith('@')) return { minute: text, hour: '', dom: '', mon: '', dow: '' }
  return isNickname(times) ? { minute: text, hour: '*', dom: '*', mon: '*', dow: '*' } : { ...times, minute: text }
}
