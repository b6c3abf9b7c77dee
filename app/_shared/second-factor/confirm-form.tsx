'use client'

import { useEffect, useRef } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { TotpToAdd } from '@/lib/portal/identity/second-factor/totp'
import { Button } from '../../_ui/button'
import { CodeBlock } from '../../_ui/code-block'
import { Notice } from '../../_ui/notice'
import { ActionForm } from '../forms/action-form'
import type { FormAction } from '../forms/call-action'
import { CodeField } from '../forms/code-field'

/** The recovery codes, shown once: to copy or to download. They take the focus, because the form that led to them is gone. */
export function NewCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n')
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      <Notice tone="warn" alert title="Save your recovery codes now. They are not shown again.">
        Each one signs you in once, if you lose your phone. Keep them where you keep your passwords.
      </Notice>
      <CodeBlock text={text} what="the recovery codes" />
      <div className="flex flex-wrap gap-2">
        <a
          download="gatehouse-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          className="inline-flex h-8 items-center rounded-control border border-line bg-surface px-3 font-semibold hover:border-line-strong touch:h-10"
        >
          Download
        </a>
        <Button variant="primary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </div>
  )
}

type ConfirmFormProps = {
  adding: TotpToAdd
  /** Field: code. */
  action: FormAction<Outcome<{ codes: string[] }> & { at: number }>
  onDone: (codes: readonly string[]) => void
  onCancel: () => void
}

/** Shows the seed, to scan or to type, and asks for the first code. */
export function ConfirmForm({ adding: { qr, secret }, action, onDone, onCancel }: ConfirmFormProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      {/* White in the dark theme too: scanners need dark modules on a light ground. */}
      <svg
        role="img"
        aria-label="QR code for your authenticator app"
        viewBox={`-3 -3 ${qr.size + 6} ${qr.size + 6}`}
        shapeRendering="crispEdges"
        className="size-44 shrink-0 rounded-control border border-line"
      >
        <rect x={-3} y={-3} width={qr.size + 6} height={qr.size + 6} fill="white" />
        <path d={qr.path} fill="black" />
      </svg>
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <p>Scan the QR code with your authenticator app, or enter this key there:</p>
          <CodeBlock text={secret} what="the key" />
        </div>
        <ActionForm action={action} onDone={({ codes }) => onDone(codes)} className="flex flex-col gap-4">
          {(pending) => (
            <>
              <CodeField hint="The six digits that the app shows now." autoFocus />
              <div className="flex flex-wrap gap-2">
                <Button type="submit" variant="primary" disabled={pending}>
                  {pending ? 'Checking…' : 'Turn on'}
                </Button>
                <Button onClick={onCancel}>Cancel</Button>
              </div>
            </>
          )}
        </ActionForm>
      </div>
    </div>
  )
}
