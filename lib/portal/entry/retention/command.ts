/** `gatehouse prune` for the portal's database: deletes data past its retention period now. */
import 'server-only'
import { findExitCode } from '@/lib/command-exit-code'
import { isMade } from '@/lib/database/is-made'
import { portalPlace } from '@/lib/database/place'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

try {
  if (await isMade(portalPlace(getSettings()))) {
    // Loaded here because these modules read the settings on import, and an error in the settings must be reported in one line.
    const [{ openRing }, { prune }, { thinSamples }, { pruneNotifications }, { pruneSignIns }, { pruneKeptForJobs }] = await Promise.all([
      import('@/lib/portal/custody/ring'),
      import('./prune'),
      import('./thin'),
      import('./notifications'),
      import('./sign-ins'),
      import('./kept-for-jobs'),
    ])
    await openRing()
    const { lines, jobs, undos } = await prune({ kind: 'operator' })
    const samples = await thinSamples()
    const notifications = await pruneNotifications()
    const signIns = await pruneSignIns()
    await pruneKeptForJobs()
    process.stdout.write(
      `Portal: deleted ${lines} job log lines, ${jobs} jobs, undo data of ${undos} changes, ${samples} samples, ${notifications} notifications, and ${signIns} old sessions, links and counters.\n`,
    )
  }
} catch (error) {
  const known = error instanceof SettingsError || error instanceof KeyFileError
  process.stderr.write(known ? `${error.message}\n` : `The portal could not be pruned: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
