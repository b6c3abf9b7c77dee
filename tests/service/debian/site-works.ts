/** Work of each kind on a site: a new kind has to be added here, and with it to all tests of jobs. */
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import type { SiteWork } from '@/lib/service/machines/sites'

const site = { id: 'site-1', name: 'examplebeef', domain: 'example.org', aliases: ['www.example.org'] }
const orders = {
  authority: { directory: 'https://ca.example/directory', roots: '', contact: '' },
  refused: [{ name: 'a.example', reason: 'CAA' }],
}
const copied = { copy: { ...site, id: 'copy-1' }, parts: { files: true, database: true, tables: ['a b'] } }
const settings = {
  php: '8.4',
  uploadMb: 64,
  memoryMb: 256,
  folder: '',
  workers: 10,
  waiting: 30,
  wwwRedirect: true,
  hstsSeconds: 0,
  mailPerHour: null,
}
const [app] = readCatalogue()
if (app === undefined) throw new Error('The catalogue has no app.')
const backup = 'example.org-20260101-000000-manual.tar.zst'

const target = {
  kind: 's3',
  endpoint: 'https://s3.example',
  region: 'eu-1',
  bucket: 'b12',
  folder: 'a',
  keyId: 'k',
  keySecret: 's',
  password: 'p',
  limitKb: '',
} as const

export const siteWorks: { readonly [Kind in SiteWork['kind']]: Extract<SiteWork, { kind: Kind }> } = {
  create: {
    kind: 'create',
    site,
    password: 'p',
    databasePassword: 'd',
    owner: 'o',
    wwwRedirect: true,
    restored: { backup, taken: [], ...orders },
  },
  names: { kind: 'names', site, later: false, ...orders },
  ssl: { kind: 'ssl', site, on: true, ...orders },
  pull: { kind: 'pull', site, ...copied, isNew: true, password: '', ...orders },
  push: { kind: 'push', site, ...copied, replace: false },
  settings: { kind: 'settings', site, settings },
  app: { kind: 'app', site, app, password: 'p', databasePassword: 'd' },
  email: { kind: 'email', site, on: true },
  backup: { kind: 'backup', site },
  restore: {
    kind: 'restore',
    site,
    backup,
    backupFirst: true,
    taken: [],
    copy: { snapshot: 'a'.repeat(64), sha256: 'b'.repeat(64), target },
    ...orders,
  },
  download: { kind: 'download', site },
  copy: { kind: 'copy', of: 'site', site, target },
  prove: { kind: 'prove', site, backup, copy: { snapshot: 'a'.repeat(64), sha256: 'b'.repeat(64), target } },
  delete: { kind: 'delete', site, backup: true, owner: 'o' },
}
