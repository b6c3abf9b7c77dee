/** Deletes what is kept of jobs for a while: sign-in details, prepared archives, names of backups. */
import 'server-only'
import { pruneArchives } from '@/lib/portal/subjects/archives/prepared'
import { pruneNamesBefore } from '@/lib/portal/subjects/backups/names-before'
import { pruneCredentials } from '@/lib/portal/subjects/credentials/kept'

/** Whatever is past its time; nobody could see it any more. Returns how many rows were deleted. */
export const pruneKeptForJobs = async (now = new Date()): Promise<number> =>
  (await pruneCredentials(now)) + (await pruneArchives(now)) + (await pruneNamesBefore(now))
