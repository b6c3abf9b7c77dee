/** Checks everything that can be checked before the first process is started. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describeClaim, findClaimant } from '@/lib/database/claim'
import { readKeyFile } from '@/lib/sealing/key-file'
import { findMisspelt, getSettings, programEnvironment, type Settings } from '@/lib/settings/settings'
import { requireOwnFolder } from './own-folder'
import { requireSecretFiles } from './secret-files'

export type Checked = {
  settings: Settings
  /** For the portal's processes only, because it contains the key-encryption key from the environment. */
  portalEnv: NodeJS.ProcessEnv
  serviceEnv: NodeJS.ProcessEnv
}

/** Only the server administrator can mend it. */
export class ConfigurationError extends Error {}

const withoutRestic = 'Old copies of backups elsewhere cannot be deleted: run “apt-get install restic” on this machine.'

const isInstalled = (program: string): boolean =>
  (programEnvironment().PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))

/** Names misspelt settings and what is not installed, and throws ConfigurationError with one line if a setting, a folder, a file or a port is unusable. */
export async function checkSettings({ withService }: { withService: boolean }): Promise<Checked> {
  for (const sentence of findMisspelt()) process.stdout.write(`${sentence}\n`)
  if (withService && !isInstalled('restic')) process.stdout.write(`${withoutRestic}\n`)
  try {
    return await requireUsable(withService)
  } catch (error) {
    throw new ConfigurationError(error instanceof Error ? error.message : String(error))
  }
}

async function requireUsable(withService: boolean): Promise<Checked> {
  const portalEnv = { ...process.env }
  const settings = getSettings()
  requireDistinctPorts(settings)
  for (const [setting, folder] of [
    ['GATEHOUSE_DATA', settings.dataDir],
    ['GATEHOUSE_KEYS', settings.keysDir],
  ] as const) {
    requireOwnFolder(setting, folder)
  }
  checkKeys(settings, withService)
  requireSecretFiles(settings)
  const portal = findClaimant(settings.portalDatabase)
  if (portal !== null) throw new Error(describeClaim(settings.portalDatabase, portal))
  await requireFreePort(settings.host, settings.port, 'PORT')
  if (withService && !settings.upstreamUrl) await requireFreePort('127.0.0.1', settings.servicePort, 'SERVICE_PORT')
  if (settings.metricsPort !== null) await requireFreePort('127.0.0.1', settings.metricsPort, 'METRICS_PORT')
  return { settings, portalEnv, serviceEnv: { ...process.env } }
}

/** Checks that required key files exist before anything listens. The processes that use them check that they fit. */
function checkKeys(settings: Settings, withService: boolean): void {
  const { portalDatabase, serviceDatabase, portalKekFile, serviceKekFile, kekFromEnvironment, upstreamUrl } = settings
  if (existsSync(portalDatabase) && kekFromEnvironment === null) readKeyFile(portalKekFile).fill(0)
  if (withService && existsSync(serviceDatabase) && upstreamUrl === null) readKeyFile(serviceKekFile).fill(0)
}

/** Throws with one line for the operator. */
export function requireDistinctPorts({ port, servicePort, metricsPort, upstreamUrl }: Settings): void {
  const ports = [['PORT', port], ...(upstreamUrl ? [] : [['SERVICE_PORT', servicePort]]), ['METRICS_PORT', metricsPort]] as const
  for (const [place, [setting, number]] of ports.entries()) {
    const twin = ports.slice(0, place).find(([, other]) => other === number)
    if (twin) throw new Error(`${twin[0]} and ${setting} are both ${number}. Set one of them to another port.`)
  }
}

function requireFreePort(host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      reject(new Error(`Port ${port} on ${host} ${why}. Free it, or set ${setting} to another one.`))
    })
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()))
  })
}
