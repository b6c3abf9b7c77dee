/** The address of an upstream service: which ones a user may enter, and where a connection leads. */
import 'server-only'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Problem, problem } from '@/lib/contract/problem'
import { isPublicAddress, mayConnect } from '@/lib/settings/network'
import { getSettings } from '@/lib/settings/settings'
import { toAsciiDomain } from '@/lib/text/ascii-domain'

/** origin: scheme, host and port. basePath: the path before /servers and /sites, without a trailing slash; '' for none. */
export type BaseUrl = { origin: string; basePath: string }

/**
 * The destination of a call. `trusted`: chosen by the operator, so its network address is not checked. `outsideOnly`: not to what
 * ALLOW_PRIVATE_UPSTREAMS permits.
 */
export type Target = BaseUrl & { trusted: boolean; outsideOnly?: boolean }

const refused = (sentence: string): Problem => problem('address_refused', { sentence })

/** Stored as the origin of the bundled service, whatever its port. */
const bundledOrigin = 'bundled'

/**
 * Parses a base URL that a user entered. Problem `address_refused` for anything but plain http(s) URLs, and for literal addresses that
 * are forbidden. Names are resolved only by `requireBaseUrl` and for each connection.
 */
export function parseBaseUrl(text: string): BaseUrl | Problem {
  const url = parseHttpUrl(text.trim())
  if (!url) return refused('Enter the address as https://host or https://host/path.')
  const base = { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') }
  return isOperatorOrigin(base.origin) ? base : (findRefusal(url) ?? base)
}

/** Why nothing may be sent there, as far as that shows without resolving the name. */
function findRefusal(url: URL, sent = 'a key'): Problem | null {
  const host = hostOf(url)
  const plain = url.protocol === 'http:'
  if (isIP(host)) return mayConnect({ host, address: host, plain }) ? null : refused(sentenceFor(plain, sent))
  if (/(^|\.)localhost$/.test(host) && !mayConnect({ host, address: '127.0.0.1', plain })) return refused(sentenceFor(plain, sent))
  return plain && getSettings().allowedPrivateUpstreams.length === 0 ? refused(sentenceFor(plain, sent)) : null
}

/** Parses a base URL and resolves its name: `address_refused` if any of its addresses is forbidden. */
export async function requireBaseUrl(text: string): Promise<BaseUrl | Problem> {
  const base = parseBaseUrl(text)
  if ('code' in base || isOperatorOrigin(base.origin)) return base
  const url = new URL(base.origin)
  const host = hostOf(url)
  const plain = url.protocol === 'http:'
  try {
    const found = await lookup(host, { all: true })
    return found.every(({ address }) => mayConnect({ host, address, plain })) ? base : refused(sentenceFor(plain && found.length > 0))
  } catch {
    return refused('The host name does not exist.')
  }
}

/**
 * Parses the address of a webhook, whose path and query are often its secret: the rules of base URLs, also for the origin that the settings
 * trust as a service. The name is resolved for each connection. inside: whether what ALLOW_PRIVATE_UPSTREAMS lists is permitted. sent: what is
 * sent there, for the sentence of a refusal.
 */
export function parseHookUrl(text: string, inside = true, sent = 'a message'): { target: Target; path: string } | Problem {
  const [, plainUrl = '', query = ''] = /^([^?]*)(\?[\x21\x24-\x5b\x5d-\x7e]*)?$/.exec(text.trim()) ?? []
  const url = parseHttpUrl(plainUrl)
  if (!url || query.length > maxQuery) return refused('Enter the address as https://host/path.')
  const refusal = inside ? findRefusal(url, sent) : isOutside(url) ? null : insideRefused
  return refusal ?? { target: { origin: url.origin, basePath: '', trusted: false, outsideOnly: !inside }, path: `${url.pathname}${query}` }
}

const maxQuery = 2048

/** For a member who may not use what ALLOW_PRIVATE_UPSTREAMS permits. */
export const insideRefused = refused(
  'Enter an https address on the public internet: your role cannot send to addresses inside a private network.',
)

/** Whether it is on the public internet and reached by https, as far as that shows without resolving the name. */
function isOutside(url: URL): boolean {
  const host = hostOf(url)
  return url.protocol === 'https:' && !/(^|\.)localhost$/.test(host) && (isIP(host) === 0 || isPublicAddress(host))
}

/** The destination of a connection's row, checked as strictly as a user's input, because a row may have been edited. */
export function findTarget({ origin, basePath }: BaseUrl): Target | Problem {
  const { servicePort, upstreamUrl } = getSettings()
  if (origin === bundledOrigin) {
    if (upstreamUrl)
      return problem('upstream_unreachable', {
        sentence: 'The bundled service is not running, because UPSTREAM_URL names another service.',
      })
    return { origin: `http://127.0.0.1:${servicePort}`, basePath: '', trusted: true }
  }
  const base = parseBaseUrl(`${origin}${basePath}`)
  if ('code' in base) return base
  if (base.origin !== origin || base.basePath !== basePath) return problem('address_refused')
  return { ...base, trusted: isOperatorOrigin(origin) }
}

/** The service that the settings name. healthPath: may be asked without an API key, and is answered then, if only by a refusal. */
export function findOwnService(): Target & { healthPath: string } {
  const { servicePort, upstreamUrl } = getSettings()
  if (!upstreamUrl) return { origin: `http://127.0.0.1:${servicePort}`, basePath: '', trusted: true, healthPath: '/api/health/live' }
  const basePath = upstreamUrl.pathname.replace(/\/+$/, '')
  return { origin: upstreamUrl.origin, basePath, trusted: true, healthPath: `${basePath}/servers/` }
}

/** The whole address of a link that a service gave at `path`, below its base URL: the link may be relative. Null if there is none. */
export function resolveLink(base: BaseUrl, path: string, link: string): string | null {
  const target = findTarget(base)
  if ('code' in target) return null
  const at = `${target.origin}${target.basePath}${path}`
  return URL.canParse(link, at) ? new URL(link, at).href : null
}

/** The host of a URL in a comparable form: lower case, IPv6 without brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
}

const isOperatorOrigin = (origin: string): boolean => getSettings().upstreamUrl?.origin === origin

/** Null unless the text is exactly http(s)://host[:port][/path]: URL alone would silently fix backslashes, spaces and more. */
function parseHttpUrl(text: string): URL | null {
  if (text.length > 2048 || !/^https?:\/\/[^/\\?#@\s]+(\/[\x21-\x7e]*)?$/i.test(text) || /[\\?#]/.test(text)) return null
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const host = hostOf(url)
  const dotted = host.endsWith('.') || host.includes('..')
  const isHost = isIP(host) !== 0 || toAsciiDomain(host) === host
  return url.username || url.password || dotted || !isHost ? null : url
}

const sentenceFor = (plain: boolean, sent = 'a key'): string =>
  plain
    ? `Use https: ${sent} sent over plain http can be intercepted. The server administrator can allow a private address in ALLOW_PRIVATE_UPSTREAMS.`
    : 'This address belongs to a private network. The server administrator can allow it in ALLOW_PRIVATE_UPSTREAMS.'
