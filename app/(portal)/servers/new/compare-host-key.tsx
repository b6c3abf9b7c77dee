'use client'

import { useEffect, useRef } from 'react'
import { Card } from '@/app/_ui/card'
import { CodeBlock } from '@/app/_ui/code-block'
import { CopyButton } from '@/app/_ui/copy-button'

type CompareHostKeyProps = {
  /** Null: the service cannot show one. */
  hostKey: string | null
  /** It was compared a moment ago; now the form has another problem. */
  compared: boolean
}

/** Shows the fingerprint next to the command that prints it on the server itself. */
export function CompareHostKey({ hostKey, compared }: CompareHostKeyProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  if (compared && hostKey !== null) {
    return (
      <p className="text-small text-muted">
        Host key you confirmed: <code className="font-mono text-code break-all text-ink">{hostKey}</code>
      </p>
    )
  }
  return (
    <Card ref={box} tabIndex={-1} role="group" aria-label="Host key" className="flex flex-col gap-3 p-4 outline-none">
      {hostKey === null ? (
        <>
          <h2 className="text-section font-strong">The host key cannot be compared</h2>
          <p className="text-muted">
            This service logs in without showing the host key first. Add the server only if you trust the network between the two.
          </p>
        </>
      ) : (
        <>
          <h2 className="text-section font-strong">Compare the host key</h2>
          <p className="text-muted">The server at this address presents the fingerprint</p>
          <p className="flex items-center gap-2">
            <code className="min-w-0 font-mono text-code font-semibold break-all">{hostKey}</code>
            <CopyButton value={hostKey} what="the fingerprint" />
          </p>
          <p className="text-muted">Run this on the server, in a console you trust, to print the correct one:</p>
          <CodeBlock text="ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" what="the command" />
          <p className="text-muted">
            If both match, nobody is intercepting the connection. Add the server; the password is sent only to the server with this key.
          </p>
        </>
      )}
    </Card>
  )
}
