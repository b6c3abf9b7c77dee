'use client'

import { useEffect, useRef } from 'react'
import { Button } from '../../_ui/button'
import { CodeBlock } from '../../_ui/code-block'
import { Notice } from '../../_ui/notice'

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
