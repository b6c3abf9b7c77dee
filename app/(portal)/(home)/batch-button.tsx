'use client'

import { useState } from 'react'
import type { AttentionItem } from '@/lib/portal/views/home/attention-item'
import { Button } from '../../_ui/button'
import { countOf } from '../../_ui/count'
import { lazyComponent } from '../../_ui/lazy'

const BatchDialog = lazyComponent(async () => (await import('../../_shared/batches/batch-dialog')).BatchDialog)

/** title: with % in place of "5 servers". confirms: the number has to be typed. */
type Words = { label: string; title: string; description: string; confirms?: true; fields?: Readonly<Record<string, string>> }

/** By the operation that settles all problems of a line. */
const words: Readonly<Record<string, Words>> = {
  'servers.summary': { label: 'Check all', title: 'Check %', description: '' },
  'servers.install': { label: 'Install all', title: 'Install %', description: 'Servers that are installed already get what they lack.' },
  'servers.upgrade': { label: 'Update all', title: 'Bring % up to date', description: '' },
  'servers.applyUpdates': {
    label: 'Install updates',
    title: 'Install security updates on %',
    description: 'The web server, PHP and the database may restart. Nothing is removed, and files that you edited in /etc stay.',
    fields: { security: '1' },
  },
  'servers.reboot': {
    label: 'Reboot all',
    title: 'Reboot %',
    description: 'Each server is offline for a minute or two. The next one restarts without waiting for it.',
    confirms: true,
  },
  'backups.create': { label: 'Back up again', title: 'Back up %', description: '' },
}

/** The one action for all problems of a line. Nothing for an operation that has no words here. */
export function BatchButton({ item: { batch, count, title } }: { item: AttentionItem }) {
  const [open, setOpen] = useState(false)
  const own = batch && words[batch.operation]
  if (!batch || !own) return null
  const { label, description, ...dialog } = own
  return (
    <>
      <Button aria-label={`${label}: ${title}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open ? (
        <BatchDialog
          open
          onOpenChange={setOpen}
          operation={batch.operation}
          noun={batch.noun}
          ids={batch.ids}
          description={`${description} ${formatLeft(count - batch.ids.length)}`.trim()}
          {...dialog}
        />
      ) : null}
    </>
  )
}

const formatLeft = (left: number): string =>
  left === 0 ? '' : `${countOf(left, 'problem')} ${left === 1 ? 'is' : 'are'} left out, where you or the service cannot do this.`
