/** Parses the addresses of databases on PostgreSQL. */
import { isLoopbackName } from './loopback'

/** A database on PostgreSQL. */
export type PostgresqlAddress = {
  /** A name or address, or the folder of a Unix socket. */
  host: string
  port: number
  user: string
  database: string
  /** The absolute path of the file with the user's password, read at each connection; null for none. */
  passwordFile: string | null
  /** TLS with a verified certificate, by default the system's authorities. null: none, on this machine only. */
  tls: { authorities: string | null } | null
}

type Prefix = 'DATABASE' | 'SERVICE_DATABASE'
type Given = { [Name in `${Prefix}_URL` | `${Prefix}_PASSWORD_FILE`]?: string | undefined }

const knownParameters = ['host', 'sslmode', 'sslrootcert']
/** What libpq calls a connection whose certificate nobody checks is refused. */
const verified = ['require', 'verify-ca', 'verify-full']

/** Null without an address; a sentence for the operator if it cannot be used. */
export function parsePostgresql(
  variables: Given,
  prefix: Prefix,
  at: (file: string) => string,
): PostgresqlAddress | { invalid: string } | null {
  const names = { url: `${prefix}_URL`, passwordFile: `${prefix}_PASSWORD_FILE` } as const
  const [given, passwordFile] = [variables[names.url], variables[names.passwordFile]]
  if (given === undefined) {
    return passwordFile === undefined ? null : { invalid: `${names.url} is missing: ${names.passwordFile} has no effect without it.` }
  }
  return parseAddress(given, names, passwordFile === undefined ? null : at(passwordFile), at)
}

/** As parsePostgresql, for the address in DATABASE_LISTEN_URL. The password is the one for DATABASE_URL. */
export function parseListen(
  { DATABASE_LISTEN_URL: given, DATABASE_URL, DATABASE_PASSWORD_FILE: file }: Given & { DATABASE_LISTEN_URL?: string | undefined },
  at: (file: string) => string,
): PostgresqlAddress | { invalid: string } | null {
  if (given === undefined) return null
  if (DATABASE_URL === undefined) return { invalid: 'DATABASE_LISTEN_URL has no effect without DATABASE_URL.' }
  const names = { url: 'DATABASE_LISTEN_URL', passwordFile: 'DATABASE_PASSWORD_FILE' }
  return parseAddress(given, names, file === undefined ? null : at(file), at)
}

function parseAddress(
  given: string,
  names: { url: string; passwordFile: string },
  passwordFile: string | null,
  at: (file: string) => string,
): PostgresqlAddress | { invalid: string } {
  const refuse = (sentence: string) => ({ invalid: `${names.url} ${sentence}` })
  const url = parseUrl(given)
  if (url === null) return refuse('is invalid: it must look like postgresql://user@host/database.')
  if (url.password !== '') return refuse(`must not contain a password: name a file that contains it in ${names.passwordFile}.`)
  const unknown = [...url.searchParams.keys()].find((name) => !knownParameters.includes(name))
  if (unknown !== undefined) return refuse(`has the parameter ${unknown}, which Gatehouse does not know.`)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (url.username === '' || database === '') return refuse('must name a user and a database: postgresql://user@host/database.')
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '')
  if (host === '') return refuse('must name a host, or the folder of a socket as host=/run/postgresql.')
  const tls = parseTls(url.searchParams, host.startsWith('/') || isLoopbackName(host), at)
  if (typeof tls === 'string') return refuse(tls)
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    database,
    passwordFile,
    tls,
  }
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return ['postgresql:', 'postgres:'].includes(url.protocol) && url.hash === '' ? url : null
  } catch {
    return null
  }
}

/** A string is the rest of a sentence about what is wrong. */
function parseTls(parameters: URLSearchParams, isLocal: boolean, at: (file: string) => string): PostgresqlAddress['tls'] | string {
  const [mode, file] = [parameters.get('sslmode'), parameters.get('sslrootcert')]
  if (mode !== null && mode !== 'disable' && !verified.includes(mode)) {
    return `has sslmode=${mode}: give verify-full, or leave it out.`
  }
  if (mode === 'disable' && !isLocal) return 'has sslmode=disable: without TLS, only a database on this machine can be used.'
  if (isLocal && (mode === null || mode === 'disable')) return file === null ? null : 'has sslrootcert without sslmode=verify-full.'
  return { authorities: file === null ? null : at(file) }
}

/** Whether two addresses mean one database, as far as they tell. */
export const isSameDatabase = (one: PostgresqlAddress | null, other: PostgresqlAddress | null): boolean =>
  one !== null && other !== null && one.host === other.host && one.port === other.port && one.database === other.database
