'use client'

import { useRouter } from 'next/navigation'
import { portalRead } from '../../_shared/read-address'
import { StartButton } from '../../_shared/start-button'
import { createSandbox } from './actions'

/** A dozen simulated servers to look around with, some of them slow, flaky or bound to fail. */
export function CreateSandboxButton({ connectionId }: { connectionId: string }) {
  const router = useRouter()
  return (
    <StartButton
      action={createSandbox}
      target={{ connectionId }}
      label="Make 12 sandbox servers"
      variant="outline"
      refetch={[portalRead('/api/servers')]}
      message={({ made }) => `Made ${made} sandbox servers.`}
      onDone={() => router.push('/servers')}
    />
  )
}
