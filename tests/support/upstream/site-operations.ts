/** The operations on sites, as the test upstream does them: each by its id, with the address and the handler. routes.ts asks for all. */
import { readPublicKey } from '@/lib/text/public-key'
import { many, one, type SentFields } from './fields'
import { type Handler, type HandlerOf, type Model, makeSite, Refused, type UpstreamSite, type UpstreamStaging } from './model'

const dns = { A: '192.0.2.10', MX: 'mail.example.org' }
const server = { name: 'web-1', ip: '192.0.2.10', dns: 'Cloudflare' }

const dayMs = 86_400_000

const namesOf = ({ domain, aliases }: UpstreamSite): string[] => [domain, ...aliases]

/** One for the names that are not blocked; refused if the domain is. */
function orderCertificate(site: UpstreamSite): void {
  const refusal = site.blocked[site.domain]
  if (refusal !== undefined) throw new Refused(409, 'unsuitable', refusal)
  const [issued, expires] = [0, 90].map((days) => new Date(Date.now() + days * dayMs).toISOString())
  const covered = namesOf(site).filter((name) => site.blocked[name] === undefined)
  site.certificate = { covered, issued: issued ?? '', expires: expires ?? '' }
}

/** What a service with extensions tells about SSL. */
function certificateOf(site: UpstreamSite): Record<string, unknown> {
  const { covered, ...times } = site.certificate ?? { covered: [], issued: '', expires: '' }
  const lacking = site.certificate ? namesOf(site).filter((name) => !covered.includes(name)) : []
  return {
    names: namesOf(site),
    covered,
    left_out: lacking.map((name) => ({ name, reason: site.blocked[name] ?? `${name} was added after the certificate was issued.` })),
    ...times,
    problem: '',
    checks: namesOf(site).map((name) => {
      const reason = site.blocked[name]
      return reason === undefined ? { name, result: 'ready', reason: '' } : { name, result: 'blocked', reason }
    }),
  }
}

/** The passwords that it makes. */
export const appPassword = 'first-of-the-app-7Qx'
export const stagingPassword = 'of-the-staging-copy-4Zk'

/** What it tells about the staging copy of a new site. */
const noStaging = (domain: string): UpstreamStaging => ({
  domain: `staging.${domain}`,
  exists: false,
  user: 'staging',
  pulled: '',
  files_bytes: 0,
  mixed: false,
  tables: [],
})

/** The first pull makes the copy and its password. */
function pullInto(staging: UpstreamStaging, fields: SentFields): Record<string, unknown> {
  const told = !staging.exists || one(fields, 'new_password') === '1'
  const names = many(fields, 'tables')
  if (one(fields, 'files') === '1' || one(fields, 'database') === '1') staging.pulled = new Date().toISOString()
  staging.exists = true
  for (const table of staging.tables) if (names.includes(table.name)) Object.assign(table, { pulled: true, changed: false })
  return told ? { credentials: { url: `http://${staging.domain}/`, user: staging.user, password: stagingPassword } } : {}
}

/** Named by how many there ever were, so that no name is used twice. */
function addBackup(site: UpstreamSite, model: Model, reason: string): void {
  const name = `backup-${model.nextId}.tar.gz`
  model.nextId += 1
  const told = { created_at: new Date().toISOString(), proven: true, reason }
  site.backups.push({ name, size: 1024, date: 'Nov 22 08:00', ...(model.extensions && told) })
}

/** What a service with extensions tells about PHP. */
const phpSettings = {
  php: '8.2',
  php_versions: ['8.2', '8.4'],
  upload_limit: '64',
  memory_limit: '256',
  folder: '',
  workers: '10',
  waiting: '30',
  www_redirect: false,
  hsts: '0',
  mail_per_hour: '200',
}

const on = (address: string, handle: HandlerOf<UpstreamSite>) => ({ address, handle })

const single = {
  'sites.summary': on('GET summary', (site) => ({
    item: [{ domain: site.domain, disk_usage: '104857600', dns, server, ...site.summary }],
  })),
  'sites.settings': on('GET settings', (site, _, model) => ({
    item: [{ domain: site.domain, ssl: site.ssl, ...(model.extensions && { ...certificateOf(site), ...phpSettings }), ...site.settings }],
  })),
  'sites.traffic': on('GET traffic', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    const hours = Array.from({ length: 24 }, (_each, hour) => ({ requests: 10 * hour, client_errors: hour, server_errors: 0 }))
    return { item: [{ from: '2026-11-20T11:00:00.000Z', hours, whole: true, status: 200, first_byte_ms: 84 }] }
  }),
  'sites.configure': on('POST configure', (site, fields, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    const names = ['php', 'upload_limit', 'memory_limit', 'folder']
    const chosen = ['workers', 'waiting', 'hsts', 'mail_per_hour'].filter((name) => one(fields, name) !== '')
    Object.assign(site.settings, Object.fromEntries([...names, ...chosen].map((name) => [name, one(fields, name)])))
    if (one(fields, 'www_redirect') !== '') site.settings.www_redirect = one(fields, 'www_redirect') === '1'
    return {}
  }),
  'sites.cancel': on('POST cancel', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    if (model.siteLines) model.siteLines.cancelled = true
    return {}
  }),
  'ssl.set': on('POST setssl', (site, fields, model) => {
    const on = one(fields, 'status') === '1'
    if (on && model.extensions) orderCertificate(site)
    site.ssl = on
    return {}
  }),
  'logs.fetchSite': on('POST fetchlog', (site, fields, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return { content: site.logs[one(fields, 'log')] ?? '', logs: ['access', 'error', 'php'] }
  }),
  'database.get': on('GET database', (site) => ({ item: [{ domain: site.domain, db_name: 'site_db', server: { ip: server.ip } }] })),
  'database.tables': on('GET database/tables', (site) => ({ tables: site.tables })),
  'database.save': on('POST savedatabase', () => ({})),
  'apps.get': on('GET apps', (site) => ({
    item: [{ domain: site.domain, app: site.app, ...(site.catalogue && { catalogue: site.catalogue }) }],
  })),
  'apps.staging': on('GET staging', (site) => {
    if (!site.staging) throw new Refused(404, 'not_found', 'There is no such address.')
    return { item: [site.staging] }
  }),
  'apps.pull': on('POST apps/pull', (site, fields) => (site.staging ? pullInto(site.staging, fields) : {})),
  'apps.push': on('POST apps/push', (site) => (site.staging ? { backup: `${site.domain}-before-push.tar.zst` } : {})),
  'apps.install': on('GET install', (site, fields, model) => {
    const app = one(fields, 'app')
    if (site.app.name !== '') throw new Refused(409, 'unsuitable', 'The site already has files.')
    site.app = { name: app, version: site.catalogue?.find((each) => each.app === app)?.version ?? '1.0' }
    return model.extensions ? { credentials: { url: `http://${site.domain}/admin`, user: 'admin', password: appPassword } } : {}
  }),
  'aliases.list': on('GET aliases', (site) => ({
    item: [{ domain: site.domain, aliases: site.aliases.map((domain) => ({ domain, dns })), server }],
  })),
  'aliases.save': on('POST savealias', (site, fields) => {
    const alias = one(fields, 'alias')
    if (namesOf(site).includes(alias)) throw new Refused(409, 'unsuitable', `${alias} is already a name of a site.`)
    site.aliases.push(alias)
    return {}
  }),
  'aliases.delete': on('POST deletealias', (site, fields) => {
    site.aliases = site.aliases.filter((alias) => alias !== one(fields, 'alias'))
    return {}
  }),
  'backups.list': on('GET backups', (site) => ({ domain: site.domain, ip: server.ip, items: site.backups })),
  'backups.create': on('GET backup/creates', (site, _, model) => {
    addBackup(site, model, 'manual')
    return {}
  }),
  'copies.make': on('POST copies', (site) => {
    const [newest] = site.backups
    if (!newest) throw new Refused(409, 'unsuitable', 'The site has no backup yet. Create one, then copy it. Nothing was copied.')
    return { snapshot: 'a'.repeat(64), backup: newest.name, bytes: 4096, added: 1024, sha256: 'c'.repeat(64) }
  }),
  'copies.prove': on('POST copies/prove', (site) => site.proof),
  'copies.restore': on('POST copies/restore', (site, fields, model) => {
    const name = one(fields, 'backup')
    const backedUpFirst = one(fields, 'backup_first') === '1'
    if (backedUpFirst) addBackup(site, model, 'restore')
    site.restored.push({ name, backedUpFirst })
    return { kept: `/home/${site.id}/replaced` }
  }),
  'backups.restore': on('POST ', (site, fields, model) => {
    const name = one(fields, 'restore')
    const backedUpFirst = one(fields, 'backup_first') === '1'
    if (backedUpFirst && model.extensions) addBackup(site, model, 'restore')
    site.restored.push({ name, backedUpFirst })
    return model.extensions ? { kept: `/home/${site.id}/replaced` } : {}
  }),
  'backups.delete': on('POST backups', (site, fields) => {
    const ids = many(fields, 'ids')
    site.backups = site.backups.filter((backup) => !ids.includes(backup.name))
    return {}
  }),
  'email.get': on('GET email', ({ domain, email, emails, mail }, _, model) => ({
    item: [{ domain, email, emails, server: { hostname: 'mail.example.org', dns: 'Cloudflare' }, ...(model.extensions && mail) }],
  })),
  'email.set': on('POST setemail', (site, fields, model) => {
    const [wanted, { elsewhere = '' }] = [one(fields, 'status') === '1', site.mail]
    if (wanted && model.extensions && elsewhere !== '' && one(fields, 'anyway') !== '1')
      throw new Refused(409, 'unsuitable', `DNS sends mail for ${site.domain} to ${elsewhere}.`)
    site.email = wanted
    return {}
  }),
  'email.save': on('POST saveemail', (site, fields) => {
    const [user, destination] = [one(fields, 'user'), one(fields, 'destination')]
    if (!destination.includes('@')) throw new Refused(422, 'invalid', 'Enter an address to forward to.')
    site.emails = [...site.emails.filter((email) => email.user !== user), { user, destination }]
    return {}
  }),
  'email.delete': on('POST deleteemail', (site, fields) => {
    site.emails = site.emails.filter((email) => email.user !== one(fields, 'user'))
    return {}
  }),
  'sftp.list': on('GET sftpkeys', ({ domain, keys }, _, model) => {
    if (!model.extensions || !keys) throw new Refused(404, 'not_found', 'There is no such address.')
    return { domain, items: keys }
  }),
  'sftp.save': on('POST savesftpkey', (site, fields, model) => {
    if (!model.extensions || !site.keys) throw new Refused(404, 'not_found', 'There is no such address.')
    const read = readPublicKey(one(fields, 'key'))
    if ('refusal' in read) throw new Refused(422, 'invalid', read.refusal)
    const { bits, line, ...key } = read.key
    site.keys.push({ ...key, ...(bits !== null && { bits }), key: line })
    return {}
  }),
  'sftp.delete': on('POST deletesftpkey', (site, fields, model) => {
    if (!model.extensions || !site.keys) throw new Refused(404, 'not_found', 'There is no such address.')
    site.keys = site.keys.filter(({ fingerprint }) => fingerprint !== one(fields, 'fingerprint'))
    return {}
  }),
  'sites.download': on('GET download', (site, _, model) => {
    const { bytes, elsewhere } = site.archive
    const path = `/archives/${site.id}-${crypto.randomUUID()}.tar.zst`
    model.archives.set(path, bytes)
    const expires = new Date(Date.now() + 900_000).toISOString()
    return { download_url: elsewhere ?? `${model.origin}${path}`, ...(model.extensions && { size: bytes.length, expires }) }
  }),
  'sites.delete': on('GET delete', (site, _, model) => {
    model.sites.delete(site.id)
    return model.extensions ? { backup: `/var/backups/gatehouse/${site.domain}.tar.zst` } : {}
  }),
}

const inGeneral = (address: string, handle: Handler) => ({ address, handle })

const general = {
  'sites.list': inGeneral('GET ', (_, model) => ({
    items: [...model.sites.values()].map(({ id, domain, server: on, listed, ssl, certificate, staging }) => ({
      id,
      domain,
      server: on,
      usage: '104857600',
      ip: server.ip,
      mx: dns.MX,
      ...(model.extensions && { ssl, expires: certificate?.expires ?? '', staging: staging?.exists ? staging.domain : '' }),
      ...listed,
    })),
  })),
  'copies.prune': inGeneral('POST prunecopies', (fields, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return { removed: many(fields, 'snapshots').length }
  }),
  'sites.create': inGeneral('POST create', (fields, model) => {
    const domain = one(fields, 'domain')
    const id = makeSite(model, {
      domain,
      server: one(fields, 'server'),
      app: { name: '', version: '' },
      ...(model.extensions && { staging: noStaging(domain) }),
    })
    return model.extensions ? { id } : {}
  }),
}

export const siteOperations = { general, single }
