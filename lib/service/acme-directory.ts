/** The directory of an ACME server: the only request that the service makes over HTTP, to the address that its operator set. */
import { request } from 'node:https'
import { isJsonObject } from '@/lib/contract/json'
import type { Authority } from './machines/sites'

const patienceMs = 5000

/** The names by which the authority appears in CAA records; none if it does not say. */
export function fetchIdentities({ directory, roots }: Authority): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const asked = request(directory, { signal: AbortSignal.timeout(patienceMs), ...(roots !== '' && { ca: roots }) }, (answer) => {
      if (answer.statusCode !== 200) return void answer.destroy(new Error(`The directory was answered with ${answer.statusCode}.`))
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (chunks.reduce((sum, { length }) => sum + length, 0) > 65_536) answer.destroy(new Error('The directory is too large.'))
      })
      answer.on('error', reject)
      answer.on('end', () => {
        try {
          resolve(identitiesIn(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
        } catch (error) {
          reject(error)
        }
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

function identitiesIn(directory: unknown): string[] {
  const meta = isJsonObject(directory) && isJsonObject(directory.meta) ? directory.meta : {}
  return Array.isArray(meta.caaIdentities) ? meta.caaIdentities.filter((each): each is string => typeof each === 'string') : []
}
