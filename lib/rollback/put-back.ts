/** Puts a copy in a database's place, and notes for the portal that entries of the audit log will be missing on purpose. */
import { findSharedEntry, type Half, readLastEntry } from './losses'
import { restoreCopy } from './rollback'

const unsigned = 'The file of signed heads could not be updated, so ./gatehouse keys verify will report the lost entries as missing.\n'

/** kept: where the replaced database is now. note: for display, empty or a line. Rejects like restoreCopy. */
export const putBack = (half: Half, file: string, copy: string): Promise<{ kept: string; note: string }> =>
  half === 'portal' ? putPortalBack(file, copy) : Promise.resolve({ ...restoreCopy(half, file, copy), note: '' })

/**
 * First records in the signed heads of the audit log that entries will be missing on purpose, so that `./gatehouse keys verify` reports a
 * rollback instead of a cut. If the present database cannot be opened, it cannot sign: then `unsigned`.
 */
async function putPortalBack(file: string, copy: string): Promise<{ kept: string; note: string }> {
  const [{ openRing }, heads, { closeDatabase }] = await Promise.all([
    import('@/lib/portal/custody/ring'),
    import('@/lib/portal/audit/heads/write'),
    import('@/lib/portal/base/db'),
  ])
  const to = readLastEntry(copy) ?? { seq: 0, row: '' }
  const lastSeq = readLastEntry(file)?.seq ?? to.seq
  const shared = findSharedEntry(copy, file) ?? to.seq
  const signed = await openRing()
    .then(() => heads.noteRestore({ to, lastSeq, shared }))
    .then(
      () => true,
      () => false,
    )
  await closeDatabase()
  try {
    return { ...restoreCopy('portal', file, copy), note: signed ? '' : unsigned }
  } catch (error) {
    if (signed) await heads.writeHead().finally(closeDatabase)
    throw error
  }
}
