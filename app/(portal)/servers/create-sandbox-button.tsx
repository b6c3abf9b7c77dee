'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '../../_shared/forms/start-button'
import { portalRead } from '../../_shared/reads/read-address'
import { createSandbox } from './actions'

/** Creates a dozen sandbox servers to explore with, some of them slow, flaky or bound to fail. */
export function CreateSandboxButton({ connectionId }: { connectionId: string }) {
  const router = useRouter()
  return (
    <StartButton
      action={createSandbox}
      target={{ connectionId }}
      label="Add 12 sandbox servers"
      variant="outline"
      refetch={[portalRead('/api/servers')]}
      message={({ made }) => `Added ${made} sandbox servers.`}
      onDone={() => router.push('/servers')}
    />
  )
}
