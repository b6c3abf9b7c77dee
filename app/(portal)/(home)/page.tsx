import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { requireActor } from '@/lib/portal/identity/actor'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { areFirstStepsHidden } from '@/lib/portal/views/home/first-steps-cookie'
import { readHome } from '@/lib/portal/views/home/home'
import { findNight } from '@/lib/portal/views/home/night'
import { WhoCanGrant } from '../../_shared/access/who-can-grant'
import { AskInWords } from '../../_shared/access-requests/ask-here'
import { zoneCookie } from '../../_shared/preferences/zone-cookie'
import { HomeView } from './home-view'

export const metadata: Metadata = { title: 'Home' }

/** The result of a slower service comes with the next read. */
const patienceMs = 250

export default async function HomePage() {
  const actor = await requireActor()
  const zone = zoneFor(actor.preferences, (await cookies()).get(zoneCookie)?.value)
  const [home, night, hidden] = await Promise.all([readHome(actor, patienceMs), findNight(actor, zone), areFirstStepsHidden()])
  const mayChange = (await findOffers(actor))(contract.servers.create)
  const denied = (
    <>
      <p>
        <WhoCanGrant actor={actor} otherwise="A team owner, admin or operator can add the first server." />
      </p>
      {home.servers.all === 0 ? <AskInWords actor={actor} /> : null}
    </>
  )
  return (
    <HomeView
      first={{ ok: true, data: home }}
      night={night}
      mayChange={mayChange}
      denied={denied}
      guest={actor.role === 'guest'}
      stepsHidden={hidden}
    />
  )
}
