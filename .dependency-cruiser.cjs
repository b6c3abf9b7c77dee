/** Who may import whom, as ARCHITECTURE.md describes it. tests/architecture/borders.test.ts adds a violation of each rule. */
const outside = (...folders) => `^(?!(${folders.join('|')}))(app|lib|prisma|tests|docs)/`

/** A rule that nothing in `from` imports `to`. */
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })

/** lib/portal from the bottom to the top, and the folders of two of its layers. docs/decisions/028-portal-layers.md */
const layers = {
  base: ['base'],
  custody: ['custody'],
  audit: ['audit'],
  notifications: ['notifications'],
  identity: ['identity'],
  access: ['access'],
  upstream: ['upstream'],
  spine: ['spine'],
  subjects: ['subjects'],
  jobs: ['jobs'],
  batches: ['batches'],
  approvals: ['approvals'],
  views: ['views'],
  delivery: ['delivery'],
  entry: ['entry'],
}

/** Hooks lie below the file that hands them to the spine; folders that run operations lie above it. */
const subjects = {
  marks: ['samples', 'labels', 'undoable', 'archives', 'backups', 'credentials'],
  findings: ['findings'],
  listing: ['listing'],
  rows: ['servers', 'sites'],
  spine: ['spine.ts'],
  acts: ['connections', 'backup-targets', 'sampling', 'host-keys', 'sandbox', 'counted', 'revert', 'team', 'overwrite'],
  edits: ['backup-plans', 'cron', 'firewall', 'aliases', 'ssl', 'sftp', 'site-settings', 'email', 'lending'],
  undo: ['undo'],
}

const views = { parts: ['activity', 'backups', 'palette', 'history', 'notifications', 'reach', 'vitals'], home: ['home'] }

/** One rule per tier: its folders import only lower tiers, not each other. One more rule: every file lies in a tier. */
const downwards = (folder, name, tiers) => [
  ...Object.entries(tiers).flatMap(([tier, own], index, all) => {
    const refused = all.slice(index).flatMap(([, each]) => each)
    if (refused.length === 1) return []
    return never(
      `${name}-${tier}-imports-downwards`,
      { path: `^${folder}(${own.join('|')})(/|$)` },
      { path: `^${folder}(${refused.join('|')})(/|$)`, pathNot: `^${folder}$1(/|$)` },
      'Files in lib/portal import only lower layers.',
    )
  }),
  never(
    `${name}-is-all-tiers`,
    { path: `^${folder}(?!(${Object.values(tiers).flat().join('|')})(/|$))` },
    {},
    'Every file of the portal lies in a folder of the order.',
  ),
]

module.exports = {
  forbidden: [
    never('no-cycles', { pathNot: '^prisma/generated/' }, { circular: true }, 'Import cycles are not allowed.'),
    never(
      'contract-imports-zod-only',
      { path: '^lib/contract/' },
      { pathNot: '^(lib/contract/|node_modules/zod/|zod)' },
      'The contract is data and imports only zod.',
    ),
    never('portal-never-service', { path: '^lib/portal/' }, { path: '^lib/service/' }, 'Portal and service talk only over HTTP.'),
    never(
      'service-never-portal',
      { path: '^lib/service/' },
      { path: '^(lib/portal/|app/|prisma/generated/portal|node_modules/next)' },
      'Portal and service talk only over HTTP.',
    ),
    never(
      'app-never-service',
      { path: '^app/' },
      { path: '^(lib/service/|prisma/generated/)' },
      'Pages import the portal, not the service or Prisma.',
    ),
    never('portal-never-screens', { path: '^lib/' }, { path: '^app/' }, 'lib does not import pages.'),
    never(
      'shared-code-imports-no-half',
      { path: '^lib/(sealing|database|settings|log|backup|text)' },
      { path: '^(lib/(portal|service|launcher|contract)/|app/)' },
      'Code that both halves use imports neither.',
    ),
    never(
      'shared-code-imports-limits-only',
      { path: '^lib/(crontab|firewall)/' },
      { path: '^(lib/(portal|service|launcher)/|lib/contract/(?!(fields|limits)\\.ts$)|app/)' },
      'Code that both halves use imports neither, and of the contract only fields and limits.',
    ),
    never(
      'ui-knows-no-operation',
      { path: '^app/_ui/' },
      { path: '^(lib/|app/(?!_ui/))' },
      'The design system imports nothing of the product.',
    ),
    never(
      'shared-knows-no-feature',
      { path: '^app/_shared/' },
      { path: '^app/\\((portal|public)\\)/' },
      'Shared components import no feature.',
    ),
    never(
      'feature-never-feature',
      // The brackets of a folder named like (home) are outside the group, because the tool inserts the group into a pattern unescaped.
      { path: '^app/\\((portal|public)\\)/\\(?([^/()]+)\\)?/' },
      { path: '^app/\\((portal|public)\\)/[^/]+/', pathNot: '^app/\\($1\\)/\\(?$2\\)?/' },
      'Features do not import each other; shared code belongs in app/_shared.',
    ),
    never(
      'part-never-part',
      { path: '^app/\\(portal\\)/([^/]+)/\\[[^/]+\\]/([^/]+)/' },
      { path: '^app/\\(portal\\)/[^/]+/(new|\\[[^/]+\\]/[^/]+)/', pathNot: '^app/\\(portal\\)/$1/\\[[^/]+\\]/$2/' },
      'Pages of one server do not import each other; shared code belongs in a folder above both, or in app/_shared.',
    ),
    never(
      'new-never-part',
      { path: '^app/\\(portal\\)/[^/]+/new/' },
      { path: '^app/\\(portal\\)/[^/]+/\\[[^/]+\\]/' },
      'The page that adds a server and the pages of one server share code in a folder above both, or in app/_shared.',
    ),
    never(
      'reads-know-no-feature',
      { path: '^app/api/' },
      { path: '^app/\\((portal|public)\\)/' },
      'Code that a page and its reads share belongs in app/_shared.',
    ),
    never(
      'machines-never-routes',
      { path: '^lib/service/machines/' },
      { path: '^lib/service/(routes|http|main|store)' },
      'The order is main, http, routes, machines, ssh: import only what comes later.',
    ),
    never(
      'only-machines-know-ssh',
      // open.ts creates the connections and passes them to the machines. restic signs in at SFTP servers where copies are.
      { path: '^lib/service/(?!(machines|restic|ssh)/|open\\.ts$)' },
      { path: '^lib/service/ssh/' },
      'The order is main, http, routes, machines, ssh: import only the next one.',
    ),
    never(
      'ssh-is-the-lowest',
      { path: '^lib/service/ssh/' },
      { path: '^lib/service/(routes|http|main|store|machines/(?!machine\\.ts))' },
      'The order is main, http, routes, machines, ssh: import only what comes later.',
    ),
    never(
      'facts-and-changes-receive-the-transport',
      { path: '^lib/service/machines/debian/(facts|changes|steps)/' },
      { path: '^lib/service/ssh/', dependencyTypesNot: ['type-only'] },
      'Facts, changes and steps receive the transport as an argument.',
    ),
    never(
      'only-one-place-uses-ssh2',
      { pathNot: '^(lib/service/ssh/|tests/)' },
      { path: '(^|node_modules/)ssh2(/|$)' },
      'Only lib/service/ssh imports ssh2.',
    ),
    never(
      'only-one-place-uses-prisma',
      { path: outside('lib/portal/', 'lib/service/store/', 'prisma/', 'tests/') },
      { path: '^prisma/generated/' },
      'Each half imports its Prisma client in one place.',
    ),
    never(
      'only-one-place-uses-next-auth',
      { pathNot: '^(lib/portal/identity/|app/api/auth/|tests/)' },
      { path: 'node_modules/next-auth/' },
      'Only identity and its route import next-auth.',
    ),
    never(
      'only-one-place-sends-mail',
      { pathNot: '^(lib/portal/base/mail/|tests/)' },
      { path: '(^|node_modules/)nodemailer(/|$)' },
      'Only lib/portal/base/mail imports nodemailer.',
    ),
    never(
      'only-one-place-uses-notices',
      { pathNot: '^(app/_ui/|tests/)' },
      { path: '(^|/)node_modules/sonner/', dependencyTypesNot: ['type-only'] },
      'Toasts are shown through app/_ui/toast: a second copy of the library would show nothing.',
    ),
    never(
      'only-one-place-uses-egress',
      {
        pathNot:
          '^(lib/portal/(upstream|entry/front)/|lib/service/(acme-directory|app-updates|restic/gate)\\.ts$|lib/backup/scheduled/store-in-bucket\\.ts$|tests/)',
      },
      { path: '((^|/)node_modules/undici/|^(node:)?https?$|^(node:)?http2$)', dependencyTypesNot: ['type-only'] },
      'Only upstream, the front, the service’s looks at a certificate authority and at updates of apps, its gate for restic, and backups of Gatehouse into a bucket of its settings import HTTP clients.',
    ),
    never(
      'only-custody-opens-sealed-keys',
      { path: outside('lib/portal/custody/', 'lib/service/store/', 'lib/sealing/', 'tests/') },
      { path: '^lib/sealing/envelope' },
      'Only custody and the service’s store decrypt stored secrets.',
    ),
    ...downwards('lib/portal/', 'portal', layers),
    ...downwards('lib/portal/subjects/', 'subjects', subjects),
    ...downwards('lib/portal/views/', 'views', views),
    never(
      'only-the-spine-calls-upstream',
      { path: outside('lib/portal/(upstream|spine)/', 'tests/') },
      { path: '^lib/portal/upstream/(call|with-key|egress)\\.ts' },
      'Calls for a user go through the spine.',
    ),
    never(
      'calls-without-a-user-in-one-place',
      {
        path: outside(
          'lib/portal/(subjects/(sampling/sampler|listing/refresh|connections/prove)|jobs/relay/(attach|read-back))\\.ts',
          'tests/',
        ),
      },
      { path: '^lib/portal/upstream/unattended' },
      'unattended.ts checks no permissions, so only these files may import it.',
    ),
    never(
      'only-upstream-sends-with-a-key',
      { path: outside('lib/portal/upstream/', 'tests/') },
      { path: '^lib/portal/upstream/(with-key|egress)\\.ts' },
      'Only upstream sends requests with an API key.',
    ),
    never(
      'archives-in-one-place',
      { path: outside('lib/portal/(upstream|subjects/archives)/', 'tests/') },
      { path: '^lib/portal/upstream/archive\\.ts' },
      'archive.ts checks no permissions, so only the files about archives may import it.',
    ),
    never(
      'only-delivery-posts-to-webhooks',
      { path: outside('lib/portal/(upstream|delivery)/', 'tests/') },
      { path: '^lib/portal/upstream/hook\\.ts' },
      'hook.ts checks no permissions, so only the files about channels may import it.',
    ),
    never(
      'only-delivery-opens-channels',
      { path: outside('lib/portal/(custody|delivery)/', 'tests/') },
      { path: '^lib/portal/custody/channel\\.ts' },
      'Only custody and delivery decrypt the addresses of channels.',
    ),
    never(
      'only-backup-targets-open-theirs',
      { path: outside('lib/portal/(custody|subjects/backup-targets)/', 'tests/') },
      { path: '^lib/portal/custody/backup-target\\.ts' },
      'Only custody and the files about backup targets decrypt the credentials of these.',
    ),
    never(
      'only-backup-targets-call-buckets',
      { path: outside('lib/portal/(upstream|subjects/backup-targets)/', 'tests/') },
      { path: '^lib/portal/upstream/bucket\\.ts' },
      'bucket.ts checks no permissions, so only the files about backup targets may import it.',
    ),
    never(
      'only-upstream-opens-keys',
      { path: outside('lib/portal/(custody|upstream)/', 'tests/') },
      { path: '^lib/portal/custody/open-key' },
      'Only custody and upstream decrypt API keys.',
    ),
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(node_modules|prisma/generated)' },
    exclude: { path: '^(\\.next|data|keys)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
    },
  },
}
