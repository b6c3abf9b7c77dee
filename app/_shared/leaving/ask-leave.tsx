'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { holdPage } from './hold'

type Question = { title: string; description: string }

/** While it is on the page, leaving asks first. */
export function AskLeave(question: Question) {
  const [go, setGo] = useState<(() => void) | null>(null)
  const release = useRef(() => {})
  useEffect(() => {
    release.current = holdPage((leave) => setGo(() => leave))
    return () => release.current()
  }, [])
  if (!go) return null
  const leave = () => {
    setGo(null)
    release.current()
    go()
  }
  return <LeaveQuestion {...question} onStay={() => setGo(null)} onLeave={leave} />
}

/** Whether to leave something that is lost then. */
export const LeaveQuestion = ({ title, description, onStay, onLeave }: Question & { onStay: () => void; onLeave: () => void }) => (
  <Dialog open onOpenChange={onStay} title={title} description={description}>
    <div className="mt-6">
      <DialogActions>
        <Button onClick={onLeave}>Leave</Button>
        <Button variant="primary" onClick={onStay}>
          Stay
        </Button>
      </DialogActions>
    </div>
  </Dialog>
)
