'use client'

import { useEffect, useRef, useState } from 'react'
import type { ReadAddress } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'
import { appendContent, emptyBuffer, type LogBuffer } from './log-buffer'
import type { LogAnswer } from './log-source'

const liveMs = 5000
/** When not following, the log is only read again when the user returns to the page. */
const restingMs = 3_600_000

type Log = {
  read: ReadState<LogAnswer>
  buffer: LogBuffer
  /** Whether the user is reading further up: then no line is dropped. */
  setReading: (reading: boolean) => void
}

/** Everything that was read of a log while the page is open. */
export function useLog(address: ReadAddress<LogAnswer>, live: boolean): Log {
  const read = useRead(address, { everyMs: live ? liveMs : restingMs })
  const [buffer, setBuffer] = useState(emptyBuffer)
  const reading = useRef(false)
  const content = read.data?.content
  useEffect(() => {
    if (content !== undefined) setBuffer((before) => appendContent(before, content, reading.current))
  }, [content])
  return {
    read,
    buffer,
    setReading: (now) => {
      reading.current = now
    },
  }
}
