/** The settings ACME_DIRECTORY, ACME_CONTACT and ACME_ROOTS_FILE: where the bundled service gets certificates for sites. */
import { readFileSync } from 'node:fs'
import * as z from 'zod'

export const certificateAuthorityVariables = {
  ACME_DIRECTORY: z.url({ protocol: /^https$/ }).default('https://acme-v02.api.letsencrypt.org/directory'),
  ACME_CONTACT: z.email().optional(),
  ACME_ROOTS_FILE: z.string().min(1).optional(),
}

/** directory: the URL of an ACME directory. roots: PEM certificates that it is verified against; empty for those of the system. */
export type CertificateAuthority = { directory: string; contact: string; roots: string }

type Given = z.infer<z.ZodObject<typeof certificateAuthorityVariables>>

/** `at` makes a path absolute. */
export function parseCertificateAuthority(given: Given, at: (path: string) => string): CertificateAuthority | { invalid: string } {
  const { ACME_DIRECTORY: directory, ACME_CONTACT: contact = '', ACME_ROOTS_FILE: file } = given
  if (file === undefined) return { directory, contact, roots: '' }
  const roots = readRoots(at(file))
  if (roots === null) return { invalid: `ACME_ROOTS_FILE is invalid: ${file} cannot be read, or has no certificate in PEM form.` }
  return { directory, contact, roots }
}

function readRoots(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8')
    return text.includes('-----BEGIN CERTIFICATE-----') ? text : null
  } catch {
    return null
  }
}
