'use client'

import { Check, Circle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { HomeView } from '@/lib/portal/views/home/home'
import { callAction } from '../../_shared/forms/call-action'
import { wasOverviewSeen } from '../../_shared/palette/recents'
import { Button } from '../../_ui/button'
import { Link } from '../../_ui/page-link'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { saveFirstStepsHidden } from './actions'

type FirstStepsProps = {
  steps: NonNullable<HomeView['firstSteps']>
  offersSandbox: boolean
  mayChange: boolean
  onHide: (hidden: boolean) => void
}

type Step = { name: string; description: string; done: boolean; href: string | null }

/** The first steps of a new user. Each is checked off automatically; once all are done, or dismissed, they are not shown again. */
export function FirstSteps({ steps, offersSandbox, mayChange, onHide }: FirstStepsProps) {
  const list = useSteps(steps, offersSandbox, mayChange)
  const done = list.filter((step) => step.done).length
  const allDone = done === list.length
  const kept = useRef(false)
  useEffect(() => {
    if (!allDone || kept.current) return
    kept.current = true
    void keep(true)
  }, [allDone])

  function dismiss() {
    onHide(true)
    void keep(true)
    offerUndo('The first steps were dismissed.', () => {
      onHide(false)
      void keep(false)
    })
  }

  return (
    <Section title="First steps" aside={<span className="text-small text-muted">{`${done} of ${list.length}`}</span>}>
      <Card className="overflow-hidden">
        <ol className="divide-y divide-line">
          {list.map((step) => (
            <StepLine key={step.name} step={step} />
          ))}
        </ol>
        <div className="border-t border-line px-4 py-2">
          {allDone ? (
            <p className="py-1 text-small text-muted">All done. These steps won’t be shown again.</p>
          ) : (
            <Button variant="ghost" onClick={dismiss} className="-mx-3">
              Dismiss
            </Button>
          )}
        </div>
      </Card>
    </Section>
  )
}

function useSteps({ added, installed, serverId, siteAdded }: FirstStepsProps['steps'], offersSandbox: boolean, mayChange: boolean): Step[] {
  const [seen, setSeen] = useState(false)
  // Only this browser knows which pages were opened in it.
  useEffect(() => setSeen(wasOverviewSeen()), [])
  const server = serverId && `/servers/${serverId}`
  return [
    { name: 'Create your account', description: 'Done: you are signed in.', done: true, href: null },
    {
      name: 'Add a server',
      description: offersSandbox ? 'Your own, or a simulated one to try things out.' : 'One your service can reach.',
      done: added,
      href: mayChange ? '/servers/new' : null,
    },
    {
      name: 'Install',
      description: 'Follow every step, or leave and come back.',
      done: installed,
      href: mayChange ? server && `${server}/install` : null,
    },
    {
      name: 'Check its health',
      description: 'Disk, memory, updates and versions.',
      done: installed && seen,
      href: installed ? server : null,
    },
    {
      name: 'Add a site',
      description: 'A domain with its own user, files and database.',
      done: siteAdded,
      href: installed && mayChange && serverId !== null ? `/sites/new?server=${serverId}` : null,
    },
  ]
}

function StepLine({ step: { name, description, done, href } }: { step: Step }) {
  const Icon = done ? Check : Circle
  return (
    <li className="relative flex items-start gap-3 px-4 py-2.5 has-[a]:hover:bg-selected">
      <Icon
        aria-hidden
        size={16}
        strokeWidth={done ? 2 : 1.5}
        className={done ? 'mt-0.5 shrink-0 text-ok' : 'mt-0.5 shrink-0 text-muted'}
      />
      <div className="min-w-0">
        <p className={done ? 'text-muted' : 'font-semibold'}>
          {done || href === null ? (
            name
          ) : (
            <Link href={href} className="after:absolute after:inset-0">
              {name}
            </Link>
          )}
          <span className="sr-only">{done ? ', done' : ', to do'}</span>
        </p>
        {done ? null : <p className="text-small text-muted">{description}</p>}
      </div>
    </li>
  )
}

/** A preference: if it cannot be stored, the page says so and continues. */
async function keep(hidden: boolean): Promise<void> {
  const kept = await callAction(saveFirstStepsHidden, { hidden: hidden ? 'yes' : 'no' }, { repeatable: true })
  if (!kept.ok) toast(`Your choice was not saved. ${kept.problem.sentence}`)
}
