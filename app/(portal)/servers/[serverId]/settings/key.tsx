'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { CopyButton } from '@/app/_ui/copy-button'
import { EarlyButton } from '@/app/_ui/early-button'
import { lazyComponent } from '@/app/_ui/lazy'
import { Card, Section } from '@/app/_ui/section'

const ResetKeyDialog = lazyComponent(() => import('./reset-key-dialog').then((file) => file.ResetKeyDialog))

type KeyProps = {
  serverId: string
  name: string
  /** Empty if the service does not report it. */
  hostKey: string
  mayReset: boolean
}

/** How the service logs in to the server. */
export function Key({ serverId, name, hostKey, mayReset }: KeyProps) {
  const foreign = useForeign()
  const [resetting, setResetting] = useState(false)
  const close = () => {
    setResetting(false)
    requestAnimationFrame(() => document.getElementById('reset-key')?.focus())
  }
  return (
    <Section title="SSH access">
      <Card className="flex flex-col gap-3 p-4">
        <p className="text-muted">
          {foreign
            ? 'Gives the service a login for this server, so that it can rotate its SSH key.'
            : 'The service logs in with an SSH key used for this server only. Rotate the key if it may be compromised, if it was removed from the server, or after the server was reinstalled. The new key is tested before the old one is removed.'}
        </p>
        {hostKey === '' ? null : (
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="text-muted">Known host key</span>
            <code className="min-w-0 font-mono text-code break-all">{hostKey}</code>
            <CopyButton value={hostKey} what="the fingerprint" />
          </p>
        )}
        {mayReset ? (
          <div>
            <EarlyButton id="reset-key" variant="danger" onClick={() => setResetting(true)}>
              Rotate SSH key
            </EarlyButton>
          </div>
        ) : null}
      </Card>
      {resetting ? <ResetKeyDialog serverId={serverId} name={name} hostKey={hostKey} onClose={close} /> : null}
    </Section>
  )
}
