/** A project folder that holds the launcher and nothing else: what npm and Next do in it is a small script of the test. */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Run = {
  /** Everything printed so far, both streams. */
  output(): string
  /** How it ended: the exit code, or the name of the signal. */
  ended: Promise<number | NodeJS.Signals>
  kill(signal: NodeJS.Signals): void
}

export type BareProject = Disposable & {
  dir: string
  write(path: string, text: string): void
  read(path: string): string
  has(path: string): boolean
  remove(path: string): void
  /** Starts one of the launcher's programs here. Programs of the test (`writeProgram`) come first on its PATH. */
  start(program: string, env?: Record<string, string>): Run
  /** Puts a shell script on the PATH of what is started here. */
  writeProgram(name: string, script: string): void
}

export function makeBareProject(): BareProject {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bare-'))
  cpSync('lib/launcher', join(dir, 'lib/launcher'), { recursive: true })
  for (const file of ['lib/exit-codes.mjs', 'lib/commands.mjs', 'lib/programs.mjs', 'gatehouse']) cpSync(file, join(dir, file))
  const at = (path: string) => join(dir, path)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  write('package.json', JSON.stringify({ name: 'bare', version: '1.0.0', type: 'module' }))
  write('package-lock.json', JSON.stringify({ name: 'bare', version: '1.0.0', lockfileVersion: 3, packages: {} }))
  return {
    dir,
    write,
    read: (path) => readFileSync(at(path), 'utf8'),
    has: (path) => existsSync(at(path)),
    remove: (path) => rmSync(at(path)),
    writeProgram(name, script) {
      write(`bin/${name}`, `#!/bin/sh\n${script}\n`)
      chmodSync(at(`bin/${name}`), 0o755)
    },
    start(program, env = {}) {
      const child = spawn(process.execPath, [`lib/launcher/${program}`], {
        cwd: dir,
        env: { ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      return {
        output: () => output,
        ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? 1))),
        kill: (signal) => child.kill(signal),
      }
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export function isAlive(pid: number): boolean {
  try {
    // A process that ended and that nobody has waited for yet is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
