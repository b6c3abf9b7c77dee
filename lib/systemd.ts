/** Tells systemd that a unit with Type=notify is ready, and again and again that it still works, for WatchdogSec=. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { log } from './log'
import { getSettings } from './settings/settings'

/** Node cannot write to the socket that systemd listens on, so systemd's own program does. It takes the socket's address from the environment. */
const notify = (message: string): Promise<void> =>
  promisify(execFile)('systemd-notify', [message], { timeout: 10_000 }).then(
    () => {},
    (error: unknown) => log.error({ err: error }, 'systemd could not be notified'),
  )

/**
 * Reports that this process is ready; from then on, whenever `isAlive` resolves with true, that it works. After too long a silence systemd starts
 * the unit again. Does nothing where systemd does not wait for it.
 */
export async function reportReady(isAlive: () => Promise<boolean>): Promise<void> {
  const expected = getSettings().notify
  if (expected === null) return
  await notify('READY=1')
  if (expected.watchdogMs === null) return
  const report = async () => {
    if (await isAlive()) await notify('WATCHDOG=1')
  }
  // Three tries within the time.
  setInterval(() => void report(), expected.watchdogMs / 3).unref()
}
