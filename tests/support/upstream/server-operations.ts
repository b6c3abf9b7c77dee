/** The operations on servers, as the test upstream does them: each by its id, with the address and the handler. routes.ts asks for all. */
import { many, one } from './fields'
import { fingerprint, type Handler, type HandlerOf, type Model, makeServer, Refused, type UpstreamServer } from './model'

const extensionsOf = (server: UpstreamServer, model: Model) =>
  model.extensions
    ? { provider: server.provider, state: server.state, host_key: server.hostKey }
    : model.saysState
      ? { state: server.state }
      : {}

const storageHostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICItoPHUXXaaVr5v+/9k+vvutesvrmo9HPZBlFcTyRxU'

const header = ({ name, dns, host, user, port }: UpstreamServer) => ({ name, dns, host, ip: '192.0.2.10', user, port })

const summaryOf = (server: UpstreamServer) => ({
  name: server.name,
  dns: server.dns,
  hostname: server.hostname,
  ip: '192.0.2.10',
  ipv6: '',
  location: 'Frankfurt',
  user: server.user,
  port: server.port,
  webserver: 'apache',
  disk_space: '12884901888',
  disk_free: '30064771072',
  disk_total: '42949672960',
  mem_total: '4294967296',
  mem_free: '2147483648',
  kernel: '6.1.0-28-amd64',
  cpu: 'AMD EPYC',
  cores: '2',
  uptime: '3 days, 4 hours',
  php: '8.2.26',
  apache: '2.4.62',
  mariadb: '10.11.6',
  updates: '4',
  security_updates: '1',
  ...server.summary,
})

const create: Handler = (fields, model) => {
  if (one(fields, 'host_key') === 'ask') {
    const refusal = new Refused(424, 'host_key_unconfirmed', 'Confirm the host key.')
    Object.assign(refusal.answer.body, { host_key: fingerprint })
    throw refusal
  }
  const { adopted = [] } = model.onAdded ?? {}
  if (one(fields, 'adopt') === 'ask' && adopted.length > 0)
    throw new Refused(
      409,
      'adoption_unconfirmed',
      `This server has 2 sites of this account from before: ${adopted.join(', ')}. Adding it brings them back.`,
    )
  const id = makeServer(model, {
    name: one(fields, 'name'),
    dns: one(fields, 'dns'),
    provider: one(fields, 'provider'),
    host: one(fields, 'host'),
    user: one(fields, 'user'),
    port: one(fields, 'port'),
  })
  return { items: [{ id }], ...(model.extensions && { host_key: fingerprint, ...model.onAdded }) }
}

/** One that no other has, whatever was deleted before. */
const freshId = (taken: readonly (string | undefined)[]): string => String(Math.max(10, ...taken.map(Number)) + 1)

const on = (address: string, handle: HandlerOf<UpstreamServer>) => ({ address, handle })

const single = {
  // The installer answers it for every server there is.
  'servers.install': on('GET install', () => ({})),
  'servers.upgrade': on('POST upgrade', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return {}
  }),
  'servers.revertUpgrade': on('POST upgrade/revert', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return {}
  }),
  'servers.upgradeAtNight': on('POST upgrade/night', (_, fields, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    model.upgradesAtNight = one(fields, 'status') === '1'
    return {}
  }),
  'servers.applyUpdates': on('POST updates', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return {}
  }),
  'servers.summary': on('GET summary', (server, _, model) => {
    const more = model.extensions
      ? {
          timezone: 'Etc/UTC',
          reboot_required: false,
          failed_units: [],
          failing_certificates: [],
          foreign_links: [],
          outdated_server: false,
          outdated_sites: [],
          upgrades_at_night: model.upgradesAtNight ?? false,
          kept: [],
          firewall: 'on',
        }
      : {}
    return { item: [{ ...summaryOf(server), ...extensionsOf(server, model), ...more, ...(model.extensions && server.found) }] }
  }),
  'servers.update': on('POST update', (server, fields) => {
    Object.assign(server, { name: one(fields, 'name'), dns: one(fields, 'dns') })
    return {}
  }),
  'servers.setHostname': on('POST hostname?hostname', (server, fields) => {
    server.hostname = one(fields, 'hostname')
    return {}
  }),
  'servers.resetKey': on('POST hostname?user', () => ({})),
  'servers.reboot': on('POST reboot', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return {}
  }),
  'servers.vitals': on('GET vitals', (_, __, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    const now = { at: '1795000000000000', cpu_busy: '4000', cpu_all: '90000', cores: '2', load: ['0.42', '0.31', '0.28'] }
    const memory = { mem_free: '2147483648', mem_total: '4294967296', disk_space: '12884901888', disk_total: '42949672960' }
    return { item: [{ ...now, ...memory, net_in: '5000000', net_out: '9000000' }] }
  }),
  'services.list': on('GET services', (server, _, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return { items: server.services }
  }),
  'services.restart': on('POST services/restart', (server, fields) => {
    for (const service of server.services) if (service.unit === one(fields, 'unit')) service.state = 'running'
    return {}
  }),
  'cron.list': on('GET cronjobs', (server) => ({ ...header(server), cronjobs: server.cronjobs })),
  'cron.save': on('POST savecronjob', (server, fields) => {
    const names = ['command', 'user', 'minute', 'hour', 'dom', 'mon', 'dow']
    const job = Object.fromEntries(names.map((name) => [name, one(fields, name)]))
    const named = server.cronjobs.findIndex(({ line }) => line === one(fields, 'before'))
    const place = named < 0 ? server.cronjobs.length : named
    server.cronjobs.splice(place, 0, { line: freshId(server.cronjobs.map(({ line }) => line)), ...job })
    return {}
  }),
  'cron.delete': on('POST deletecronjob', (server, fields) => {
    server.cronjobs = server.cronjobs.filter((job) => job.line !== one(fields, 'line'))
    return {}
  }),
  'users.list': on('GET systemusers', (server) => ({ ...header(server), users: server.users })),
  'firewall.toggle': on('POST savesystemuser?status', (server, fields) => {
    server.firewall = one(fields, 'status') === '1'
    return {}
  }),
  'users.save': on('POST savesystemuser?user', (server, fields) => {
    server.users.push({ name: one(fields, 'user') })
    return {}
  }),
  'users.delete': on('POST deletesystemuser', (server, fields) => {
    server.users = server.users.filter((user) => user.name !== one(fields, 'user'))
    return {}
  }),
  'firewall.get': on('GET firewall', (server) => ({ active: server.firewall, rules: server.rules })),
  'firewall.saveRule': on('POST savefirewallrule', (server, fields) => {
    const rule = Object.fromEntries(['action', 'from', 'port', 'protocol'].map((name) => [name, one(fields, name)]))
    for (const v6 of server.families ? ['', '1'] : ['']) {
      const named = server.rules.findIndex((other) => other.v6 === v6 && many(fields, 'before').includes(other.id ?? ''))
      const place = named < 0 ? server.rules.length : named
      server.rules.splice(place, 0, { id: freshId(server.rules.map(({ id }) => id)), v6, ...rule })
    }
    return {}
  }),
  'firewall.deleteRule': on('POST deletefirewallrule', (server, fields) => {
    server.rules = server.rules.filter((rule) => rule.id !== one(fields, 'id'))
    return {}
  }),
  'logs.fetch': on('POST fetchlog', (_, fields) => ({
    content: `first line of ${one(fields, 'log')}\nsecond line`,
    logs: ['auth', 'syslog'],
  })),
  'mail.list': on('GET messages', (server) => ({ messages: server.messages })),
  'mail.delete': on('POST deletemessages', (server, fields) => {
    const ids = many(fields, 'ids')
    server.messages = server.messages.filter((message) => !ids.includes(message.id ?? ''))
    return {}
  }),
  'serverBackups.list': on('GET backups', (server) => ({ items: server.backups })),
  'serverBackups.delete': on('POST deletebackup', (server, fields) => {
    const ids = many(fields, 'ids')
    server.backups = server.backups.filter((backup) => !ids.includes(backup.name ?? ''))
    return {}
  }),
  'serverBackups.copy': on('POST copies', (server) => {
    const [newest] = server.backups
    if (!newest) throw new Refused(409, 'unsuitable', 'The server has no backup yet. It makes one every night. Nothing was copied.')
    return { snapshot: 'b'.repeat(64), backup: newest.name, bytes: 8192, added: 2048, sha256: 'd'.repeat(64) }
  }),
  'lastBackups.list': on('GET lastbackups', (server, _, model) => {
    if (!model.extensions) throw new Refused(404, 'not_found', 'There is no such address.')
    return { items: server.lastBackups }
  }),
  'lastBackups.delete': on('POST lastbackups', (server, fields) => {
    const ids = many(fields, 'ids')
    server.lastBackups = server.lastBackups.filter((backup) => !ids.includes(backup.name))
    return {}
  }),
  'copies.test': on('POST copies/test', (_, fields) => {
    if (one(fields, 'kind') === 'sftp' && one(fields, 'host_key') === '') return { result: 'shown', host_key: storageHostKey }
    const [byRclone, maintained] = [one(fields, 'access') === 'rclone', one(fields, 'maintenance_key') !== '']
    return { result: 'passed', deletes: !byRclone, overwrites: !byRclone, ahead: '0', ...(maintained && { maintenance: 'passed' }) }
  }),
  'servers.delete': on('GET delete', (server, _, model) => {
    model.servers.delete(server.id)
    return model.deleteAnswer ?? (model.extensions ? { cleaned: true } : {})
  }),
}

const inGeneral = (address: string, handle: Handler) => ({ address, handle })

const general = {
  'servers.list': inGeneral('GET ', (_, model) => ({
    items: [...model.servers.values()].map((server) => {
      const { id, name, hostname, dns } = server
      return { id, name, hostname, dns, ...extensionsOf(server, model), ...server.listed }
    }),
  })),
  'servers.create': inGeneral('POST create', create),
}

export const serverOperations = { general, single }
