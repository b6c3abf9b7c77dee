/** Tries what scheduled backups need, so that an administrator learns of it before one is due. Leaves nothing behind. */
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEncryption } from '@/lib/backup/scheduled/encrypt'
import type { BackupSettings } from '@/lib/settings/backup'
import type { Settings } from '@/lib/settings/settings'

/** One sentence for each fault, which names the setting and what to do; none if backups are not scheduled. */
export async function findBackupFaults({ backup }: Settings): Promise<string[]> {
  if (backup === null) return []
  const { recipient, target } = backup
  const faults = [
    await findRecipientFault(recipient),
    // The secret of a bucket is among the secret files.
    'folder' in target ? findFolderFault(target.folder) : 'command' in target ? findCommandFault(target.command) : null,
  ]
  return faults.filter((fault) => fault !== null)
}

const packages = { age: 'age', gpg: 'gnupg' } as const

async function findRecipientFault(recipient: BackupSettings['recipient']): Promise<string | null> {
  const missing = recipient.program === 'gpg' ? findAccessFault(recipient.keyFile, constants.R_OK) : null
  if (missing !== null && recipient.program === 'gpg') {
    const what = missing === 'ENOENT' ? 'is missing' : `cannot be read (${missing})`
    return `The file ${recipient.keyFile} ${what}. Put a public key of OpenPGP there, or set BACKUP_RECIPIENT to another file.`
  }
  const failed = await tryEncryption(recipient)
  if (failed === null) return null
  const advice = failed.endsWith(' is not installed.') ? `Run apt install ${packages[recipient.program]}.` : 'Correct the public key.'
  return `Nothing can be encrypted to BACKUP_RECIPIENT: ${failed.replace(/\s+/g, ' ')} ${advice}`
}

/** Encrypts an empty text. Null, or why that failed. */
async function tryEncryption(recipient: BackupSettings['recipient']): Promise<string | null> {
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-check-'))
  try {
    const program = startEncryption(recipient, scratch)
    program.stdout.resume()
    program.stdin.end()
    return (await program.ended).failed
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function findFolderFault(folder: string): string | null {
  const hidden = findAccessFault(folder, constants.F_OK)
  if (hidden !== null && hidden !== 'ENOENT') return describeUnwritable(folder, hidden)
  if (hidden !== null)
    return `The folder ${folder} is missing. Create it for the user who runs Gatehouse, or set BACKUP_FOLDER to another one.`
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder. Set BACKUP_FOLDER to one.`
  const code = findAccessFault(folder, constants.W_OK | constants.X_OK)
  return code && describeUnwritable(folder, code)
}

function describeUnwritable(folder: string, code: string): string {
  const unit = 'under systemd, name it in ReadWritePaths= (docs/running.md)'
  return `The folder ${folder} cannot be written (${code}). Give it to the user who runs Gatehouse and, ${unit}, or set BACKUP_FOLDER to another one.`
}

function findCommandFault(command: string): string | null {
  const code = findAccessFault(command, constants.X_OK)
  if (code === 'ENOENT') return `The program ${command} is missing. Set BACKUP_COMMAND to the absolute path of one.`
  if (code === null && statSync(command).isFile()) return null
  return `${command} is not a program. Run chmod +x on it, or set BACKUP_COMMAND to another one.`
}

/** The code of the error, or null if this user may do it. */
function findAccessFault(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
