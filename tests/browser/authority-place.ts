/** A place for a Gatehouse that orders certificates from an authority of the lab. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Authority } from '../hosts/lab/authority'
import { makePlace, type Place } from '../support/gatehouse-process'

export async function makeAuthorityPlace({ directory, dnsAddress, roots }: Authority): Promise<Place> {
  const place = await makePlace({ ACME_DIRECTORY: directory, DNS_SERVERS: dnsAddress })
  place.env.ACME_ROOTS_FILE = join(place.dir, 'roots.pem')
  await writeFile(place.env.ACME_ROOTS_FILE, roots)
  return place
}
