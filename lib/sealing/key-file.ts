/** Key files: 32 random bytes as base64 text, readable only by their owner. */
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, constants, fchmodSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { KeyFileError, parseKey } from './key-text'

export { KeyFileError }

/**
 * Reads a key of 32 bytes. Throws KeyFileError if the file is missing, not a plain file, owned by another user, more accessible than
 * 0400, or does not contain a usable key.
 */
export function readKeyFile(path: string): Buffer {
  const file = openKeyFile(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new KeyFileError(`The key file ${path} is not a plain file.`)
    if (process.geteuid && stat.uid !== process.geteuid()) throw new KeyFileError(`The key file ${path} belongs to another user.`)
    if ((stat.mode & 0o377) !== 0) {
      throw new KeyFileError(
        `The key file ${path} is accessible to other users (mode ${(stat.mode & 0o777).toString(8).padStart(4, '0')}): run chmod 0400 on it.`,
      )
    }
    if (stat.size > 1024) throw new KeyFileError(`The key file ${path} does not hold 32 bytes as base64.`)
    return parseKey(readFileSync(/* turbopackIgnore: true */ file, 'utf8'), `The key file ${path}`)
  } finally {
    closeSync(file)
  }
}

/** Creates a key file (0400, its folder 0700) and returns the key. Throws KeyFileError if it already exists. */
export function createKeyFile(path: string): Buffer {
  const key = randomBytes(32)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    chmodSync(dirname(path), 0o700)
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o400)
    try {
      fchmodSync(file, 0o400)
      writeSync(file, `${key.toString('base64')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    key.fill(0)
    throw new KeyFileError(`The key file ${path} ${codeOf(cause) === 'EEXIST' ? 'already exists' : 'cannot be written'}.`)
  }
  return key
}

function openKeyFile(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (cause) {
    const reasons: Record<string, string> = {
      ENOENT: 'is missing',
      ELOOP: 'is a link, not a plain file',
      EACCES: 'cannot be read by this user',
    }
    throw new KeyFileError(`The key file ${path} ${reasons[codeOf(cause)] ?? 'cannot be read'}.`)
  }
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
