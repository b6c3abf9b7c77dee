/** A portal on a data folder that an earlier version wrote (tests/fixtures), as a start of this version finds it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { prepareDatabase } from '@/lib/database/prepare'
import { writeHead } from '@/lib/portal/audit/heads/write'
import { rebindConnections } from '@/lib/portal/custody/rebinding'
import { openPortalDatabase, type PortalDatabase } from './portal-database'

export type Fixture = 'before-driver-change' | 'before-enums'

/** The portal's database as it lies in a fixture. */
export const unpackPortal = (fixture: Fixture): Buffer => gunzipSync(readFileSync(join('tests/fixtures', fixture, 'portal.db.gz')))

type Older = { migrated?: boolean; change?: (file: string) => void }

/** Migrated, with a copy kept; or as it was. change: changes the file before that. */
export async function openOlderPortal(fixture: Fixture, { migrated = true, change }: Older = {}): Promise<PortalDatabase> {
  const portal = await openPortalDatabase({
    place: async ({ portalDatabase, portalKekFile, portalOldKekFile, sessionSecretFile, portalAuditHeads }) => {
      mkdirSync(dirname(portalDatabase), { recursive: true })
      mkdirSync(dirname(portalKekFile), { recursive: true, mode: 0o700 })
      writeFileSync(portalDatabase, unpackPortal(fixture), { mode: 0o600 })
      const files = [
        ['portal-kek.txt', portalKekFile, 0o400],
        ['portal-old-kek.txt', portalOldKekFile, 0o400],
        ['session.txt', sessionSecretFile, 0o400],
        ['audit-heads.txt', portalAuditHeads, 0o600],
      ] as const
      for (const [name, file, mode] of files) {
        const from = join('tests/fixtures', fixture, name)
        if (existsSync(from)) writeFileSync(file, readFileSync(from), { mode })
      }
      change?.(portalDatabase)
      if (migrated) await prepareDatabase({ file: portalDatabase, schema: 'portal' })
    },
  })
  await rebindConnections()
  await writeHead()
  return portal
}
