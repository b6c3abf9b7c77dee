'use client'

import { useEffect, useState } from 'react'
import { preload } from 'swr'
import { read } from '@/app/_shared/reads/read'
import { firstIdle } from '@/app/_ui/idle'
import { lazyComponent } from '@/app/_ui/lazy'
import { Card, Section } from '@/app/_ui/section'
import { Skeleton } from '@/app/_ui/skeleton'
import { dayAddress } from './pulse'

const HistoryLines = lazyComponent(() => import('./history-lines').then((file) => file.HistoryLines))

/** Disk and memory over time, in a reserved space: code and samples are fetched at the same time, as soon as the page has been rendered. */
export function History({ serverId }: { serverId: string }) {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    // HistoryLines shows why it failed.
    void preload(dayAddress(serverId), read).catch(() => undefined)
    void firstIdle().then(() => setQuiet(true))
  }, [serverId])
  return (
    <Section title="Usage">
      <div className="grid min-h-[442px] grid-cols-1 tablet:min-h-[250px] *:col-start-1 *:row-start-1 *:min-w-0">
        <HistoryBoxes />
        {quiet ? <HistoryLines serverId={serverId} /> : null}
      </div>
    </Section>
  )
}

/** The placeholder for the lines, at their final position. */
function HistoryBoxes() {
  return (
    <div aria-hidden className="mt-11 grid h-[368px] tablet:h-[176px] gap-4 self-start tablet:grid-cols-2">
      {['disk', 'memory'].map((figure) => (
        <Card key={figure} className="flex flex-col gap-2 px-4 py-3">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-24 w-full" />
        </Card>
      ))}
    </div>
  )
}
