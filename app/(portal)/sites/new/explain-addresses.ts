/** Where a domain leads, compared with the address of a server. host.address may be a name, which is not compared. */
export function explainAddresses(domain: string, addresses: readonly string[], host: { name: string; address: string }): string {
  const known = /^[\d.]+$|:/.test(host.address)
  const target = known ? `${host.name} (${host.address})` : host.name
  if (addresses.length === 0)
    return `${domain} isn’t in the DNS yet. Add an A record that points to ${target}; you can create the site first.`
  const found = addresses.join(', ')
  if (!known) return `${domain} points to ${found}.`
  if (addresses.includes(host.address)) return `${domain} points to ${target}.`
  return `${domain} points to ${found}, not to ${target}. That is right only behind a proxy such as a CDN.`
}
