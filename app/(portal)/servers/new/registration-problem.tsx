'use client'

import type { ReactNode } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { formatRefusal } from '../../../_shared/call-action'
import { CodeBlock } from '../../../_ui/code-block'
import { Notice } from '../../../_ui/notice'

/** What went wrong, the likely cause, and what to do about it. */
export function RegistrationProblem({ problem, foreign }: { problem: Problem; foreign: boolean }) {
  return (
    <div tabIndex={-1} data-refusal className="flex flex-col gap-3 outline-none">
      <Notice tone="danger" alert title={formatRefusal(problem)}>
        {foreign ? foreignAdviceOf(problem) : adviceOf(problem)}
      </Notice>
      {problem.code === 'login_failed' && !foreign ? <HowToGrantAccess /> : null}
    </div>
  )
}

/** What another service did meanwhile, and how it reaches the machine, is not known. */
const foreignAdviceOf = ({ code }: Problem): string =>
  code === 'outcome_unknown' ? 'Look at the list of servers before you try again.' : 'What you filled in is still here.'

function adviceOf(problem: Problem): ReactNode {
  switch (problem.code) {
    case 'login_failed':
      return 'Nothing was kept and nothing on the machine was changed. What you filled in is still here.'
    case 'unreachable':
    case 'too_slow':
      return 'Check the address and the port, that the machine is on, and that its firewall lets this portal’s machine through.'
    case 'host_key_changed':
      return 'The machine answered with another key than the one you confirmed. Test the connection again; if it differs once more, somebody may stand in between.'
    case 'outcome_unknown':
      return 'Look at the list of servers before you try again.'
    default:
      return null
  }
}

/** Debian refuses root by password unless told otherwise: the usual reason, and three ways out. */
function HowToGrantAccess() {
  return (
    <section aria-labelledby="let-us-in" className="flex flex-col gap-3 rounded-sheet border border-line bg-surface p-4">
      <h2 id="let-us-in" className="text-section font-strong">
        Here is how to let us in
      </h2>
      <p className="text-muted">
        Check user and password first. A fresh Debian refuses root by password even when it is right. Any one of these helps; run it on the
        server as root.
      </p>
      <Way title="Make a user with sudo, and add the server as that user">
        <CodeBlock text={'apt-get install -y sudo\nadduser deploy\nusermod -aG sudo deploy'} what="the commands that make a user" />
      </Way>
      <Way title="Or let root in by password for a moment">
        <CodeBlock
          text={'echo "PermitRootLogin yes" > /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'}
          what="the commands that let root in"
        />
        <p className="text-muted">and once the server is added, take that back:</p>
        <CodeBlock text={'rm /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'} what="the commands that take it back" />
      </Way>
      <Way title="Or use a private key that opens the machine already">
        <p className="text-muted">Choose “Use a private key” above and paste the whole file. It must not be protected by a passphrase.</p>
      </Way>
    </section>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </div>
  )
}
