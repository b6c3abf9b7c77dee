import { PlaceAccess } from '@/app/_shared/access/place-access'
import { requireActor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { framedPage } from '../server-page'

const page = framedPage((name) => `Access to ${name}`, Access)

export const generateMetadata = page.generateMetadata
export default page.Page

async function Access({ subject: { id, name } }: { subject: ServerRow }) {
  return <PlaceAccess actor={await requireActor()} place={{ kind: 'server', id, name }} />
}
