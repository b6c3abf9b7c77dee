'use client'

import { useRouter } from 'next/navigation'
import { useSWRConfig } from 'swr'
import { StartButton } from '../../_shared/start-button'
import { toast } from '../../_ui/toast'
import { makeSandboxServers } from './actions'

/** A dozen simulated servers to look around with, some of them slow, flaky or bound to fail. */
export function SandboxDozenButton({ connectionId }: { connectionId: string }) {
  const router = useRouter()
  const { mutate } = useSWRConfig()
  return (
    <StartButton
      action={makeSandboxServers}
      target={{ connectionId }}
      word="Make 12 sandbox servers"
      look="outline"
      onDone={({ made }) => {
        toast(`Made ${made} sandbox servers.`)
        void mutate('/api/servers')
        router.push('/servers')
      }}
    />
  )
}
