/** An installed release: ROOT/releases, ROOT/current and data beside them, started and upgraded by its own command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Step, steps } from '@/lib/upgrade/state'
import type { Place } from './gatehouse-process'

export type Ran = { code: number | null; output: string }
export type Running = AsyncDisposable & { process: ChildProcess; ended: Promise<number | null>; output(): string }

/** Installs a copy of the release's folder in the place. */
export function installRelease(place: Place, release: string) {
  const { version }: { version: string } = JSON.parse(readFileSync(join(release, 'release.json'), 'utf8'))
  const begun: Running[] = []
  const root = join(place.dir, 'opt')
  mkdirSync(join(root, 'releases'), { recursive: true })
  cpSync(release, join(root, 'releases', version), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join('releases', version), join(root, 'current'))
  const env = { PATH: '/usr/bin:/bin', ...place.env } as unknown as NodeJS.ProcessEnv

  const begin = (...args: string[]): Running => {
    const child = spawn(join(root, 'current/gatehouse'), args, { env, cwd: place.dir })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const running: Running = {
      process: child,
      ended,
      output: () => output,
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGTERM')
        await ended
      },
    }
    begun.push(running)
    return running
  }

  return {
    begin,
    [Symbol.asyncDispose]: async () => {
      for (const running of begun) await running[Symbol.asyncDispose]()
    },
    /** Runs a command of the current release to its end. */
    run: async (...args: string[]): Promise<Ran> => {
      const running = begin(...args)
      return { code: await running.ended, output: running.output() }
    },
    current: () => readlinkSync(join(root, 'current')).replace('releases/', ''),
    releases: () => readdirSync(join(root, 'releases')).sort(),
    /** The step of what is under way, '' if nothing is. */
    step: (): string => {
      const file = join(root, 'upgrade.json')
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).step : ''
    },
    isReady: () =>
      fetch(`http://127.0.0.1:${place.port}/api/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  }
}

export type InstalledRelease = ReturnType<typeof installRelease>

/** Kills the command at that step, or just after it if it is short. False if it ended before. */
export async function killAt(installed: InstalledRelease, running: Running, step: Step): Promise<boolean> {
  let isOver = false
  running.ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    if (steps.indexOf(installed.step() as Step) >= steps.indexOf(step)) {
      running.process.kill('SIGKILL')
      await running.ended
      return true
    }
    await delay(1)
  }
  return false
}
