import type { ReactNode } from 'react'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { roleNames } from '@/lib/portal/access/roles'
import { readBuildId } from '@/lib/portal/base/build-id'
import { requireActor } from '@/lib/portal/identity/actor'
import { whyNoPasskeys } from '@/lib/portal/identity/passkeys/relying-party'
import { Shell } from '../_shared/frame/shell'
import { signOut } from './actions'

/** Requires a session. Each page checks again, because layouts are not rendered on every navigation. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor()
  const { team, user, role } = actor
  return (
    <Shell
      teamName={team.name}
      user={{ name: user.name, email: user.email }}
      role={roleNames[role]}
      mayChange={(await findOffers(actor))(contract.servers.create)}
      build={readBuildId()}
      passkeys={whyNoPasskeys() === null}
      signOut={signOut}
    >
      {children}
    </Shell>
  )
}
