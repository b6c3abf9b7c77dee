'use client'

import { StartButton } from '../forms/start-button'
import { stopFollowing } from './actions'
import { AskedAction } from './asked-action'

type StopFollowingProps = {
  jobId: string
  /** What the job is, in the middle of a sentence. */
  noun: 'install' | 'job'
  may: boolean
  /** What starting the same work again does. */
  again: string
}

/** For a service that does not end its output: until then the same work cannot start again, nor its connection be removed. */
export function StopFollowing({ jobId, noun, may, again }: StopFollowingProps) {
  return (
    <AskedAction
      label="Stop following"
      title={`Stop following this ${noun}?`}
      description={`Gatehouse stops reading its output, for the whole team. The ${noun} itself is not stopped: it may still run on the server. ${again}`}
      keep="Cancel"
      may={may}
      confirm={(close) => <StartButton action={stopFollowing} target={{ jobId }} label="Stop following" onDone={close} />}
    />
  )
}
