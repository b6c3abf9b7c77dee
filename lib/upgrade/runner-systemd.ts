/** Gatehouse as systemd runs it: two units, which start what `current` leads to. */
import { readFileSync } from 'node:fs'
import { parseEnvironmentFile } from '@/lib/launcher/environment-file.mjs'
import type { Half } from '@/lib/rollback/losses'
import { type HalfPlace, halves, placeOf } from './halves'
import type { Installation } from './installation'
import type { Runner } from './runner'
import { showUnit, systemctl, unitOf } from './systemctl'

/** A half's settings as its unit has them. Rejects with UpgradeError or SettingsError. */
export async function placeOfUnit(installation: Installation, half: Half): Promise<HalfPlace> {
  const { Environment = '', EnvironmentFiles = '' } = await showUnit(half, ['Environment', 'EnvironmentFiles'])
  const files = EnvironmentFiles.split('\n').flatMap((line) => /^(\/.*) \(ignore_errors=(?:yes|no)\)$/.exec(line)?.[1] ?? [])
  const settings = files.flatMap((file) => parseEnvironmentFile(readIfThere(file)).assignments)
  // SERVICE_KEY_FILE is a credential, which is there only while the unit runs.
  const env = Object.fromEntries([...splitEnvironment(Environment), ...settings.map(({ name, value }) => [name, value] as const)])
  return placeOf(installation, half, { NODE_ENV: 'production', ...env })
}

/** `systemctl show` prints NAME=VALUE separated by spaces, with words in double quotes where needed. */
export function splitEnvironment(text: string): [string, string][] {
  const words = [...text.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) => quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '')
  return words.flatMap((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    return name === undefined ? [] : [[name, value ?? '']]
  })
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Each question starts a program, and what is asked about is starting meanwhile. */
const askEveryMs = 500

export async function createSystemdRunner(installation: Installation): Promise<Runner> {
  const [portal, service] = await Promise.all([placeOfUnit(installation, 'portal'), placeOfUnit(installation, 'service')])
  const units = halves.map(unitOf)
  let askedAt = Number.NEGATIVE_INFINITY
  const show = async (names: readonly string[]) => Promise.all(halves.map((half) => showUnit(half, names)))
  return {
    name: 'systemd',
    portal,
    service,
    isRunning: async () =>
      (await show(['ActiveState'])).some(({ ActiveState = '' }) => /^(active|activating|reloading)$/.test(ActiveState)),
    stop: async () => void (await systemctl('stop', ...units)),
    start: async () => {
      await systemctl('reset-failed', ...units).catch(() => undefined)
      // Both at once: the portal's unit comes after the service's for the sake of a stop, and waiting for it would be time without a portal.
      await systemctl('start', '--no-block', '--job-mode=ignore-dependencies', ...units)
    },
    findEnd: async () => {
      if (performance.now() - askedAt < askEveryMs) return null
      askedAt = performance.now()
      const shown = await show(['ActiveState', 'SubState', 'NRestarts', 'ExecMainStatus'])
      const ended = shown.findIndex(
        ({ ActiveState, SubState, NRestarts }) => ActiveState === 'failed' || SubState === 'auto-restart' || Number(NRestarts) > 0,
      )
      return ended === -1 ? null : `${units[ended]} ended (${shown[ended]?.ExecMainStatus}); journalctl -u ${units[ended]} says why.`
    },
    close: () => undefined,
  }
}
