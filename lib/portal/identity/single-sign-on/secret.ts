/** The client secret that the identity provider gave the operator. */
import 'server-only'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** Why the file cannot be used; never contains the secret. */
class ClientSecretError extends Error {}

const maxBytes = 4096

/** Throws ClientSecretError if the file is missing, not a plain file, accessible to other users, empty or too large. */
export function readClientSecret(path: string): string {
  const file = open(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new ClientSecretError('The file in OIDC_CLIENT_SECRET_FILE is not a plain file.')
    if ((stat.mode & 0o077) !== 0) {
      throw new ClientSecretError('The file in OIDC_CLIENT_SECRET_FILE is accessible to other users: run chmod 0400 on it.')
    }
    const secret = stat.size > maxBytes ? '' : readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim()
    if (secret === '') throw new ClientSecretError('The file in OIDC_CLIENT_SECRET_FILE contains no client secret.')
    return secret
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    throw new ClientSecretError('The file in OIDC_CLIENT_SECRET_FILE cannot be read.')
  }
}
