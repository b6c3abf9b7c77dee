/** The 25 operations on sites, as the test upstream does them. */
import { many, one } from './fields'
import { type Handler, type HandlerOf, makeSite, type UpstreamSite } from './model'

const dns = { A: '192.0.2.10', MX: 'mail.example.org' }
const server = { name: 'web-1', ip: '192.0.2.10', dns: 'Cloudflare' }

const single: Record<string, HandlerOf<UpstreamSite>> = {
  'GET summary': (site) => ({ item: [{ domain: site.domain, disk_usage: '104857600', dns, server }] }),
  'GET settings': (site) => ({ item: [{ domain: site.domain, ssl: site.ssl }] }),
  'POST setssl': (site, fields) => {
    site.ssl = one(fields, 'status') === '1'
    return {}
  },
  'GET database': (site) => ({ item: [{ domain: site.domain, db_name: 'site_db', server: { ip: server.ip } }] }),
  'GET database/tables': (site) => ({ tables: site.tables }),
  'POST savedatabase': () => ({}),
  'GET apps': (site) => ({ item: [{ domain: site.domain, app: site.app }] }),
  'POST apps/pull': () => ({}),
  'POST apps/push': () => ({}),
  'GET install': () => ({}),
  'GET aliases': (site) => ({ item: [{ domain: site.domain, aliases: site.aliases.map((domain) => ({ domain, dns })), server }] }),
  'POST savealias': (site, fields) => {
    site.aliases.push(one(fields, 'alias'))
    return {}
  },
  'POST deletealias': (site, fields) => {
    site.aliases = site.aliases.filter((alias) => alias !== one(fields, 'alias'))
    return {}
  },
  'GET backups': (site) => ({ domain: site.domain, ip: server.ip, items: site.backups }),
  'GET backup/creates': (site) => {
    site.backups.push({ name: `backup-${site.backups.length + 1}.tar.gz`, size: 1024, date: 'Nov 22 08:00' })
    return {}
  },
  'POST ': () => ({}),
  'POST backups': (site, fields) => {
    const ids = many(fields, 'ids')
    site.backups = site.backups.filter((backup) => !ids.includes(backup.name))
    return {}
  },
  'GET email': (site) => ({
    item: [{ domain: site.domain, email: site.email, emails: site.emails, server: { hostname: 'mail.example.org', dns: 'Cloudflare' } }],
  }),
  'POST setemail': (site, fields) => {
    site.email = one(fields, 'status') === '1'
    return {}
  },
  'POST saveemail': (site, fields) => {
    site.emails.push({ user: one(fields, 'user'), destination: one(fields, 'destination') })
    return {}
  },
  'POST deleteemail': (site, fields) => {
    site.emails = site.emails.filter((email) => email.user !== one(fields, 'user'))
    return {}
  },
  'GET download': (site) => ({ download_url: `http://127.0.0.1/archives/${site.id}.tar.gz` }),
  'GET delete': (site, _, model) => {
    model.sites.delete(site.id)
    return {}
  },
}

const general: Record<string, Handler> = {
  'GET ': (_, model) => ({
    items: [...model.sites.values()].map(({ id, domain, server: on }) => ({
      id,
      domain,
      server: on,
      usage: '104857600',
      ip: server.ip,
      mx: dns.MX,
    })),
  }),
  'POST create': (fields, model) => {
    const id = makeSite(model, { domain: one(fields, 'domain'), server: one(fields, 'server') })
    return model.extensions ? { id } : {}
  },
}

export const siteOperations = { general, single }
