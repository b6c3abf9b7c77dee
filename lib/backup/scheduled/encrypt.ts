/** Encrypts a stream to a recipient with age or gpg, and decrypts it again with the recipient's identity. */
import { createReadStream } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BackupSettings } from '@/lib/settings/backup'
import { BackupError } from '../layout'
import type { EncryptionProgram } from './archive-name'
import { type Program, startProgram } from './program'

/** scratch: a folder of mode 0700 where gpg may keep what it needs; nobody's own keys are read or changed. */
export function startEncryption(recipient: BackupSettings['recipient'], scratch: string): Program {
  if (recipient.program === 'age') return startProgram('age', ['--encrypt', '--recipient', recipient.key])
  const args = ['--trust-model', 'always', '--compress-algo', 'none', '--recipient-file', recipient.keyFile, '--encrypt']
  return startProgram('gpg', [...gpgIn(scratch), ...args])
}

const gpgIn = (home: string): string[] => ['--batch', '--quiet', '--no-options', '--homedir', home]

export type Decryption = {
  stream: Readable
  /** Rejects with BackupError if the whole could not be decrypted. Call it after the stream has ended. */
  finish(): Promise<void>
}

/** identity: a file with age's identity, or an OpenPGP secret key. scratch: an existing folder of mode 0700. */
export async function startDecryption(
  file: string,
  { program, identity, scratch }: { program: EncryptionProgram; identity: string; scratch: string },
): Promise<Decryption> {
  const home = join(scratch, 'gnupg')
  if (program === 'gpg') await importIdentity(identity, home)
  const running =
    program === 'age'
      ? startProgram('age', ['--decrypt', '--identity', identity], { terminal: true })
      : startProgram('gpg', [...gpgIn(home), '--decrypt'])
  createReadStream(file).on('error', running.kill).pipe(running.stdin)
  return {
    stream: running.stdout,
    finish: async () => {
      const { failed } = await running.ended
      if (program === 'gpg') await startProgram('gpgconf', ['--homedir', home, '--kill', 'all']).ended
      if (failed !== null) throw new BackupError(`The archive could not be decrypted: ${failed}`)
    },
  }
}

/** The secret key reaches gpg by standard input, and a key ring of its own that is removed with the scratch folder. */
async function importIdentity(identity: string, home: string): Promise<void> {
  await mkdir(home, { mode: 0o700 })
  await chmod(home, 0o700)
  const importing = startProgram('gpg', [...gpgIn(home), '--import'])
  importing.stdout.resume()
  importing.stdin.end(await readFile(identity))
  const { failed } = await importing.ended
  if (failed !== null) throw new BackupError(`The identity could not be read: ${failed}`)
}
