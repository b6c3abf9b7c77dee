/** The setting DNS_SERVERS: addresses of DNS resolvers. */
import { isIP, isIPv4, isIPv6 } from 'node:net'

/** 192.0.2.1, 192.0.2.1:53, 2001:db8::1 or [2001:db8::1]:53. */
function isResolver(text: string): boolean {
  const [, inBrackets = '', plain = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
  return isIP(text) !== 0 || (isPort && (isIPv6(inBrackets) || isIPv4(plain)))
}

/** The addresses, or the first text that is none. */
export function parseDnsServers(given: readonly string[]): readonly string[] | { invalid: string } {
  const wrong = given.find((text) => !isResolver(text))
  return wrong === undefined ? given : { invalid: `DNS_SERVERS is invalid: ${wrong} is not an IP address, with or without a port.` }
}
