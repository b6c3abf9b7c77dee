/** Checks a signature with a key that the administrator named, by Debian's minisign or gpg. A key from anywhere else proves nothing. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UpgradeError } from './installation'
import { lastLine, type Ran, runTool } from './run-tool'

/** Rejects with UpgradeError unless `signature` is of this file by `key`; each is the path of a file. */
export async function checkSignature(file: string, { signature, key }: { signature: string; key: string }): Promise<void> {
  for (const path of [signature, key]) if (!existsSync(path)) throw new UpgradeError(`There is no file ${path}.`)
  const isMinisign = readFileSync(key, 'latin1').startsWith('untrusted comment:')
  const program = isMinisign ? 'minisign' : 'gpg'
  const ran = isMinisign ? await runTool('minisign', ['-Vm', file, '-x', signature, '-p', key]) : await runGpg(file, signature, key)
  if (ran.code === 127)
    throw new UpgradeError(`The signature cannot be checked: install Debian's package ${program === 'gpg' ? 'gnupg' : program}.`)
  if (ran.code !== 0) throw new UpgradeError(`The signature is not valid: ${lastLine(ran.stderr || ran.stdout)}`)
}

/** In a folder with this one key, so that no other key of the administrator's counts. */
async function runGpg(file: string, signature: string, key: string): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-gpg-'))
  const gpg = (...args: string[]) => runTool('gpg', ['--homedir', home, '--batch', '--no-autostart', '--no-auto-key-retrieve', ...args])
  try {
    const imported = await gpg('--import', key)
    if (imported.code !== 0) return imported
    const verified = await gpg('--status-fd', '1', '--verify', signature, file)
    // gpg ends with 0 also if the key has expired.
    const isGood = /^\[GNUPG:\] GOODSIG /m.test(verified.stdout)
    return verified.code === 0 && !isGood ? { ...verified, code: 1 } : verified
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
