import type { ReactNode } from 'react'
import { mayRun, roleNames } from '@/lib/portal/access/roles'
import { readBuildId } from '@/lib/portal/base/build-id'
import { requireActor } from '@/lib/portal/identity/actor'
import { whyNoPasskeys } from '@/lib/portal/identity/passkeys/relying-party'
import { Shell } from '../_shared/shell'
import { signOut } from './actions'

/** Requires a session. Each page checks again, because layouts are not rendered on every navigation. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const { team, user, role } = await requireActor()
  return (
    <Shell
      teamName={team.name}
      user={{ name: user.name, email: user.email }}
      role={roleNames[role]}
      mayChange={mayRun(role, 'change')}
      build={readBuildId()}
      passkeys={whyNoPasskeys() === null}
      signOut={signOut}
    >
      {children}
    </Shell>
  )
}
