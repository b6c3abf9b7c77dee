'use client'

import { useEffect } from 'react'
import { toReadableDomain } from '@/lib/text/idn'
import { Button } from '../../_ui/button'
import { CopyButton } from '../../_ui/copy-button'
import { Notice } from '../../_ui/notice'
import { focusContent } from '../keyboard/use-shortcuts'
import { AskLeave } from '../leaving/ask-leave'
import { forgetNewPassword, type NewSite } from './new-sites'

/** The password of a new site, until the user says that it is copied: leaving asks. */
export function NewPasswordNotice({ site: { jobId, domain, password } }: { site: NewSite }) {
  useEffect(() => {
    focusContent()
    scrollTo(0, 0)
  }, [])
  if (password === null) return null
  return (
    <>
      <Notice
        tone="info"
        title="Copy the password now: it isn’t stored and won’t be shown again."
        action={<Button onClick={() => forgetNewPassword(jobId)}>I have copied it</Button>}
      >
        <p className="mt-1.5 flex max-w-[480px] items-center justify-between gap-2 rounded-control bg-surface py-1 pr-1 pl-3">
          <code className="min-w-0 font-mono text-code break-all">{password}</code>
          <CopyButton value={password} what="the password" />
        </p>
      </Notice>
      <AskLeave
        title="Leave without the password?"
        description={`The password of ${toReadableDomain(domain)} isn’t stored. You can set a new one on the site’s page.`}
      />
    </>
  )
}
