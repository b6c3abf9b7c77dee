'use client'

import type { ReactNode } from 'react'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Section } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { OnceCredentials } from './once-credentials'
import type { AppChanges } from './use-app-changes'

export type StagingProps = { site: SiteRow; userId: string | null; changes: AppChanges; may: boolean; mayPush: boolean }

type StagingFrameProps = Pick<StagingProps, 'userId' | 'changes'> & { actions: ReactNode; children: ReactNode }

/** What both kinds of services have: the newest pull and push, and what can be done next. */
export const StagingFrame = ({ userId, changes: { pull, push }, actions, children }: StagingFrameProps) => (
  <Section title="Staging">
    {pull.job ? <NewestChange job={pull.job} /> : null}
    {pull.job ? <OnceCredentials key={pull.job.id} job={pull.job} userId={userId} what="the staging copy" /> : null}
    {push.job ? <NewestChange job={push.job} /> : null}
    {children}
    {actions}
  </Section>
)
