/** Decrypts the bundled connection's API key from the files of a stopped or running Gatehouse, so that tests can search for it where it must not be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindConnection } from '@/lib/portal/custody/binding'
import { open } from '@/lib/sealing/envelope'
import { runSql } from './sqlite-file'

/** The API key as text. Needs the key file, as a thief of the database would. */
export async function readBundledKey(dir: string): Promise<string> {
  const [row] = runSql(join(dir, 'data/portal/portal.db'), `SELECT * FROM "Connection" WHERE kind = 'bundled'`)
  if (!row) throw new Error('There is no bundled connection.')
  const key = Buffer.from(readFileSync(join(dir, 'keys/portal/kek.key'), 'utf8').trim(), 'base64')
  const identity = {
    id: String(row.id),
    teamId: String(row.teamId),
    ownerId: row.ownerId === null ? null : String(row.ownerId),
    origin: String(row.origin),
    basePath: String(row.basePath),
    secretVersion: Number(row.secretVersion),
    kind: 'bundled' as const,
    label: String(row.label),
  }
  const blob = row.sealedKey as Uint8Array
  return open({ keks: (id) => ({ id, key }), blob, aad: bindConnection(identity) }).toString('latin1')
}

/** The forms a key may hide in: raw, base64 at each alignment, hex, URL-encoded, JSON-escaped. */
export function disguisesOf(key: string): string[] {
  const bytes = Buffer.from(key, 'latin1')
  const aligned = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  return [
    key,
    ...aligned,
    ...aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
  ]
}
