'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { lazyComponent } from '../../_ui/lazy'
import { Section } from '../../_ui/section'
import type { LogSource } from './log-buffer'

const LogViewer = lazyComponent(() => import('./log-viewer').then((file) => file.LogViewer))

/** The address contains the log and the line. */
export function LogsView({ source }: { source: LogSource }) {
  const params = useSearchParams()
  const [log, setLog] = useState(() => params.get('log') || source.first)
  const [mark, setMark] = useState(() => params.get('line'))
  const choose = (next: string) => {
    setLog(next)
    setMark(null)
    history.replaceState(null, '', `${location.pathname}?${new URLSearchParams({ log: next })}`)
  }
  return (
    <Section title="Logs">
      <div className="min-h-[max(440px,calc(100dvh-300px))]">
        <LogViewer key={log} source={source} log={log} mark={mark} onChoose={choose} />
      </div>
    </Section>
  )
}
