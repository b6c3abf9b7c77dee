/** Halves of Gatehouse as the operators of several machines start them: one program each, from a clone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Balancer } from './balancer'
import { type ChildProgram, followProgram } from './child-program'
import type { Place } from './gatehouse-process'
import { npmRun } from './npm-run'

export type Half = ChildProgram & { child: ChildProcess }

/** root: the folder of the clone. */
export function startHalf(place: Place, half: 'portal' | 'service', root = '.'): Half {
  const { NODE_ENV: _, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = { ...inherited, ...place.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [`lib/launcher/${half}.mjs`], { env, cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ...followProgram(child) }
}

/** Starts the service of the first place, which both use, and gives both the key that it makes for portals. */
export async function startService(first: Place, second: Place): Promise<Half> {
  const keyFile = join(first.dir, 'service-key')
  for (const { env } of [first, second]) env.SERVICE_KEY_FILE = keyFile
  const service = startHalf(first, 'service')
  await expect.poll(() => npmRun(first, 'service:keys', 'list').status, { timeout: 120_000 }).toBe(0)
  writeFileSync(keyFile, npmRun(first, 'service:keys', 'create', '--account', 'portal').said, { mode: 0o400 })
  return service
}

/** As the operator does for the second machine. */
export function copyKeys(from: Place, to: Place): void {
  mkdirSync(join(to.dir, 'keys'), { mode: 0o700 })
  cpSync(join(from.dir, 'keys', 'portal'), join(to.dir, 'keys', 'portal'), { recursive: true })
}

/** Throws with what the halves printed if that takes over five minutes: the first one may have to build. */
export async function untilReady(balancer: Balancer, ports: readonly number[], halves: readonly Half[]): Promise<void> {
  for (let left = 3_000; balancer.ready().join() !== ports.join(); left -= 1) {
    if (left === 0)
      throw new Error(`Ready are ${balancer.ready().join()} of ${ports.join()}:\n${halves.map((half) => half.output()).join('\n')}`)
    await delay(100)
  }
}
