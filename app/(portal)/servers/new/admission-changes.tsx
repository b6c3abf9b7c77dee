'use client'

import { useEffect, useRef, useState } from 'react'
import { CodeBlock } from '@/app/_ui/code-block'
import { admissionChangesOf, admissionEnd } from '@/lib/contract/admission'

type Filled = { user: string; connectionId: string }

function readForm(form: HTMLFormElement): Filled {
  const filled = new FormData(form)
  const text = (name: string) => String(filled.get(name) ?? '').trim()
  return { user: text('user'), connectionId: text('connectionId') }
}

/** What adding a server leaves on it, if a bundled service is chosen; for another one that is unknown. */
export function AdmissionChanges({ bundled }: { bundled: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [filled, setFilled] = useState<Filled>({ user: 'root', connectionId: bundled[0] ?? '' })
  useEffect(() => {
    const form = box.current?.closest('form')
    if (!form) return
    const readUser = () => setFilled(readForm(form))
    readUser()
    form.addEventListener('input', readUser)
    return () => form.removeEventListener('input', readUser)
  }, [])
  const shown = bundled.includes(filled.connectionId) && filled.user !== ''
  return (
    <div ref={box}>
      {shown ? (
        <details>
          <summary className="min-h-6 cursor-pointer font-semibold">What Gatehouse sets up on this server</summary>
          <ul className="mt-2 flex flex-col gap-3 text-muted">
            {admissionChangesOf(filled.user).map(({ file, description, line }) => (
              <li key={file} className="flex flex-col gap-1">
                <code className="font-mono text-code text-ink">{file}</code>
                <span>{description}</span>
                {line === null ? null : <CodeBlock text={line} what="the line" />}
              </li>
            ))}
          </ul>
          <p className="mt-2 text-muted">{admissionEnd}</p>
        </details>
      ) : null}
    </div>
  )
}
