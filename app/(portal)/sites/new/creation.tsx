'use client'

import { useEffect } from 'react'
import { focusContent } from '../../../_shared/keyboard/use-shortcuts'
import { portalRead } from '../../../_shared/read-address'
import { ReadError } from '../../../_shared/read-error'
import { SiteJob } from '../../../_shared/sites/site-job'
import { useRead } from '../../../_shared/use-read'
import { Button } from '../../../_ui/button'
import { CopyButton } from '../../../_ui/copy-button'
import { Notice } from '../../../_ui/notice'
import { Waiting } from '../../../_ui/skeleton'
import type { SiteDraft } from './add-site-form'

type CreationProps = { jobId: string; draft: SiteDraft; extensions: boolean; onBack: () => void }

const everyMs = 15_000

/** The creation, live, below the password, which no other page can show. */
export function Creation({ jobId, draft, extensions, onBack }: CreationProps) {
  const job = useRead(portalRead('/api/jobs/[jobId]', { jobId }), { everyMs })
  useEffect(() => {
    focusContent()
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <Notice tone="info" title="Copy the password now: it isn’t stored and won’t be shown again.">
        <p className="mt-1.5 flex max-w-[480px] items-center justify-between gap-2 rounded-control bg-surface py-1 pr-1 pl-3">
          <code className="min-w-0 font-mono text-code break-all">{draft.password}</code>
          <CopyButton value={draft.password} what="the password" />
        </p>
      </Notice>
      <ReadError read={job} nothingRead="The job continues." />
      {job.data ? (
        <SiteJob
          job={job.data.job}
          lines={job.data.events}
          extensions={extensions}
          may
          retry={<Button onClick={onBack}>Change and try again</Button>}
        />
      ) : (
        <Waiting description={`Creating ${draft.domain}.`} />
      )}
    </>
  )
}
