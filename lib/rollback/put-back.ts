/** Puts a copy in a database's place, and notes for the portal that entries of the audit log will be missing on purpose. */
import type { PostgresqlAddress } from '@/lib/settings/database'
import { compareLogs, replaceByCopy } from './dumped'
import { findSharedEntry, type Half, readLastEntry } from './losses'
import { restoreCopy } from './rollback'

const unsigned = 'The file of signed heads could not be updated, so ./gatehouse keys verify will report the lost entries as missing.\n'

/** kept: where the replaced database is now. note: for display, empty or a line. Rejects like restoreCopy. */
export const putBack = (half: Half, file: string, copy: string): Promise<{ kept: string; note: string }> =>
  half === 'portal' ? putPortalBack(file, copy) : Promise.resolve({ ...restoreCopy(half, file, copy), note: '' })

/** The same with a dump of a database on PostgreSQL. kept: where one of the replaced database is written. Rejects with DatabaseError. */
export async function putDumpBack(half: Half, address: PostgresqlAddress, dump: string, kept: string): Promise<{ note: string }> {
  const replace = () => replaceByCopy(address, dump, kept)
  if (half === 'service') {
    await replace()
    return { note: '' }
  }
  return { note: (await notedInHeads(await compareLogs(address, dump), replace)).note }
}

/** If the present database cannot be opened, it cannot sign: then the note is `unsigned`. */
async function putPortalBack(file: string, copy: string): Promise<{ kept: string; note: string }> {
  const to = readLastEntry(copy) ?? { seq: 0, row: '' }
  const lastSeq = readLastEntry(file)?.seq ?? to.seq
  const shared = findSharedEntry(copy, file) ?? to.seq
  const { result, note } = await notedInHeads({ to, lastSeq, shared }, async () => restoreCopy('portal', file, copy))
  return { ...result, note }
}

type Restore = { to: { seq: number; row: string }; lastSeq: number; shared: number }

/**
 * First records in the signed heads of the audit log that entries will be missing on purpose, so that `./gatehouse keys verify` reports a
 * rollback instead of a cut; then replaces the database.
 */
async function notedInHeads<T>(restore: Restore, replace: () => Promise<T>): Promise<{ result: T; note: string }> {
  const [{ openRing }, heads, { closeDatabase }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/audit/heads/write'),
    import('@/lib/portal/base/db'),
  ])
  const signed = await openRing()
    .then(() => heads.noteRestore(restore))
    .then(
      () => true,
      () => false,
    )
  await closeDatabase()
  try {
    return { result: await replace(), note: signed ? '' : unsigned }
  } catch (error) {
    if (signed) await heads.writeHead().finally(closeDatabase)
    throw error
  }
}
