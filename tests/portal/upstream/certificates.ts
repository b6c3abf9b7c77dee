/** Certificates for a test: an authority and leaves of it that are right or wrong in one way each, made by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Leaf = { key: string; cert: string }

const authorityConfig = `
[ca]
default_ca = test
[test]
database = index.txt
serial = serial.txt
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
`

/** Makes an authority in a folder of its own. Files: authority.pem, for NODE_EXTRA_CA_CERTS. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = (name: string) => openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', `${name}.key`)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  writeFileSync(join(folder, 'ca.cnf'), authorityConfig)
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'serial.txt'), '01\n')
  newKey('authority')
  const root = ['-subj', '/CN=Gatehouse test authority', '-days', '2', '-out', 'authority.pem']
  openssl('req', '-x509', '-config', 'ca.cnf', '-key', 'authority.key', ...root, '-addext', 'basicConstraints=critical,CA:TRUE')

  return {
    file: join(folder, 'authority.pem'),
    /** A leaf for a host name, valid between two dates written as YYYYMMDDHHMMSSZ. */
    issue(name: string, host: string, from: string, until: string): Leaf {
      newKey(name)
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=DNS:${host}\nbasicConstraints=CA:FALSE\n`)
      openssl('req', '-new', '-config', 'ca.cnf', '-key', `${name}.key`, '-subj', `/CN=${host}`, '-out', `${name}.csr`)
      const signing = ['-keyfile', 'authority.key', '-cert', 'authority.pem', '-in', `${name}.csr`, '-out', `${name}.pem`]
      openssl('ca', '-batch', '-config', 'ca.cnf', ...signing, '-extfile', `${name}.ext`, '-startdate', from, '-enddate', until, '-notext')
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
    },
    /** A leaf that signed itself. */
    selfSign(name: string, host: string): Leaf {
      newKey(name)
      const leaf = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2', '-out', `${name}.pem`]
      openssl('req', '-x509', '-config', 'ca.cnf', '-key', `${name}.key`, ...leaf)
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
