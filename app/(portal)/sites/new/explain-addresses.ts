/** Where a domain leads, compared with the address of a server. host.address may be a name, which is not compared. */
export function explainAddresses(domain: string, addresses: readonly string[], host: { name: string; address: string }): string {
  const known = /^[\d.]+$|:/.test(host.address)
  const target = known ? `${host.name} (${host.address})` : host.name
  if (addresses.length === 0)
    return `${domain} isn’t in the DNS yet. Add an A record that points to ${target}; you can create the site first.`
  const found = addresses.join(', ')
  if (!known) return `${domain} points to ${found}.`
  const strays = addresses.filter((address) => address !== host.address)
  if (strays.length === 0) return `${domain} points to ${target}.`
  if (strays.length < addresses.length)
    return `${domain} points to ${target}, and also to ${strays.join(', ')}. Visitors may end up there, and SSL needs the site at each of them.`
  return `${domain} points to ${found}, not to ${target}. That is right only behind a proxy such as a CDN.`
}
