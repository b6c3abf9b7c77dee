'use client'

import { useRouter } from 'next/navigation'
import { portalRead } from '../../_shared/read-address'
import { StartButton } from '../../_shared/start-button'
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
