import { PlaceAccess } from '@/app/_shared/access/place-access'
import { requireActor } from '@/lib/portal/identity/actor'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { framedPage } from '../site-page'

const page = framedPage((name) => `Access to ${toReadableDomain(name)}`, Access)

export const generateMetadata = page.generateMetadata
export default page.Page

async function Access({ subject: { id, name } }: { subject: SiteRow }) {
  const place = { kind: 'site', id, name: toReadableDomain(name) } as const
  return <PlaceAccess actor={await requireActor()} place={place} />
}
