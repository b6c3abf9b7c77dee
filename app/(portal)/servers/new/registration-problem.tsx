'use client'

import type { ReactNode } from 'react'
import { formatRefusal } from '@/app/_shared/forms/call-action'
import { CodeBlock } from '@/app/_ui/code-block'
import { Notice } from '@/app/_ui/notice'
import type { Problem } from '@/lib/contract/problem'

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

/** What another service did meanwhile, and how it reaches the server, is unknown. */
const foreignAdviceOf = ({ code }: Problem): string =>
  code === 'outcome_unknown' ? 'Check the list of servers before you try again.' : 'Your input is still here.'

function adviceOf(problem: Problem): ReactNode {
  switch (problem.code) {
    case 'login_failed':
      return 'Nothing was saved, and nothing on the server was changed. Your input is still here.'
    case 'unreachable':
    case 'too_slow':
      return 'Check the address and port, that the server is running, and that its firewall allows the machine that runs Gatehouse.'
    case 'host_key_changed':
      return 'The server presented a different host key than the one you confirmed. Test the connection again; if the key differs again, someone may be intercepting the connection.'
    case 'outcome_unknown':
      return 'Check the list of servers before you try again.'
    default:
      return null
  }
}

/** By default Debian refuses root logins by password: the usual cause, and three solutions. */
function HowToGrantAccess() {
  return (
    <section aria-labelledby="let-us-in" className="flex flex-col gap-3 rounded-sheet border border-line bg-surface p-4">
      <h2 id="let-us-in" className="text-section font-strong">
        How to give Gatehouse access
      </h2>
      <p className="text-muted">
        Check the user and password first. By default, Debian refuses root logins with a password. Run one of these on the server as root:
      </p>
      <Way title="Create a user with sudo, and add the server as that user">
        <CodeBlock text={'apt-get install -y sudo\nadduser deploy\nusermod -aG sudo deploy'} what="the commands that create a user" />
      </Way>
      <Way title="Or temporarily allow root to log in with a password">
        <CodeBlock
          text={'echo "PermitRootLogin yes" > /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'}
          what="the commands that let root in"
        />
        <p className="text-muted">and undo it once the server is added:</p>
        <CodeBlock text={'rm /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'} what="the commands that take it back" />
      </Way>
      <Way title="Or use a private key that the server already accepts">
        <p className="text-muted">Choose “Use a private key” above and paste the whole file. Keys with a passphrase are not supported.</p>
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
