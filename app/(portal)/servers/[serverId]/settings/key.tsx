'use client'

import { useState } from 'react'
import { useForeign } from '../../../../_shared/foreign-service'
import { Button } from '../../../../_ui/button'
import { Card } from '../../../../_ui/card'
import { CopyButton } from '../../../../_ui/copy-button'
import { lazyComponent } from '../../../../_ui/lazy'
import { Section } from '../../../../_ui/section'

const ResetKeyDialog = lazyComponent(() => import('./reset-key-dialog').then((file) => file.ResetKeyDialog))

type KeyProps = {
  serverId: string
  name: string
  /** Empty where the service does not tell. */
  hostKey: string
  mayReset: boolean
}

/** How the service gets into the machine. */
export function Key({ serverId, name, hostKey, mayReset }: KeyProps) {
  const foreign = useForeign()
  const [resetting, setResetting] = useState(false)
  const close = () => {
    setResetting(false)
    requestAnimationFrame(() => document.getElementById('reset-key')?.focus())
  }
  return (
    <Section title="Key">
      <Card className="flex flex-col gap-3 p-4">
        <p className="text-muted">
          {foreign
            ? 'Gives the service a login for this server, so that it can reset its key.'
            : 'The service comes in with a key that exists for this server alone. Replace it when it may have been seen, when it was removed from the machine, or after the machine was set up anew. The new key is proven before the old one goes.'}
        </p>
        {hostKey === '' ? null : (
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="text-muted">Host key on record</span>
            <code className="min-w-0 font-mono text-code break-all">{hostKey}</code>
            <CopyButton value={hostKey} what="the fingerprint" />
          </p>
        )}
        {mayReset ? (
          <div>
            <Button id="reset-key" variant="danger" onClick={() => setResetting(true)}>
              Reset key
            </Button>
          </div>
        ) : null}
      </Card>
      {resetting ? <ResetKeyDialog serverId={serverId} name={name} hostKey={hostKey} onClose={close} /> : null}
    </Section>
  )
}
