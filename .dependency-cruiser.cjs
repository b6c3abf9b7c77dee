/** Who may import whom. ARCHITECTURE.md says it in words; tests/architecture plants a break of each and expects it found. */
const outside = (...rooms) => `^(?!(${rooms.join('|')}))(app|lib|prisma|tests|docs)/`

/** A rule that nothing in `from` imports `to`. */
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })

/** lib/portal from the bottom to the top, and the rooms of two of its layers. docs/decisions/028-portal-layers.md */
const layers = {
  base: ['base'],
  custody: ['custody'],
  audit: ['audit'],
  identity: ['identity'],
  access: ['access'],
  upstream: ['upstream'],
  spine: ['spine'],
  subjects: ['subjects'],
  jobs: ['jobs'],
  views: ['views'],
  entry: ['entry'],
}

/** A hook changes rows, so it lies below the file that hands it to the spine; what runs operations lies above that file. */
const subjects = {
  marks: ['samples', 'labels', 'undoable'],
  findings: ['findings'],
  listing: ['listing'],
  rows: ['servers', 'sites'],
  spine: ['spine.ts'],
  acts: ['connections', 'sampling', 'host-keys', 'sandbox', 'counted', 'revert'],
  edits: ['cron', 'firewall'],
  undo: ['undo'],
}

const views = { parts: ['activity', 'palette', 'history'], home: ['home'] }

/** A rule for each tier: its rooms import lower tiers, and neither each other nor what is above. One more: every file lies in a tier. */
const downwards = (folder, name, tiers) => [
  ...Object.entries(tiers).flatMap(([tier, rooms], place, all) => {
    const refused = all.slice(place).flatMap(([, each]) => each)
    if (refused.length === 1) return []
    return never(
      `${name}-${tier}-imports-downwards`,
      { path: `^${folder}(${rooms.join('|')})(/|$)` },
      { path: `^${folder}(${refused.join('|')})(/|$)`, pathNot: `^${folder}$1(/|$)` },
      'Imports in lib/portal lead downwards.',
    )
  }),
  never(
    `${name}-is-all-tiers`,
    { path: `^${folder}(?!(${Object.values(tiers).flat().join('|')})(/|$))` },
    {},
    'Every file of the portal lies in a room with a place in the order.',
  ),
]

module.exports = {
  forbidden: [
    never('no-cycles', { pathNot: '^prisma/generated/' }, { circular: true }, 'Two files that need each other are one idea or three.'),
    never(
      'contract-imports-zod-only',
      { path: '^lib/contract/' },
      { pathNot: '^(lib/contract/|node_modules/zod/|zod)' },
      'The contract is data.',
    ),
    never('portal-never-service', { path: '^lib/portal/' }, { path: '^lib/service/' }, 'Portal and service meet in HTTP only.'),
    never(
      'service-never-portal',
      { path: '^lib/service/' },
      { path: '^(lib/portal/|app/|prisma/generated/portal|node_modules/next)' },
      'Portal and service meet in HTTP only.',
    ),
    never('app-never-service', { path: '^app/' }, { path: '^(lib/service/|prisma/generated/)' }, 'Screens ask the portal.'),
    never('portal-never-screens', { path: '^lib/' }, { path: '^app/' }, 'Rooms below know no screens.'),
    never(
      'shared-rooms-know-no-side',
      { path: '^lib/(sealing|database|settings|log|backup|text)' },
      { path: '^(lib/(portal|service|launcher|contract)/|app/)' },
      'What both sides use knows neither.',
    ),
    never(
      'shared-rooms-know-limits-only',
      { path: '^lib/(crontab|firewall)/' },
      { path: '^(lib/(portal|service|launcher)/|lib/contract/(?!(fields|limits)\\.ts$)|app/)' },
      'What both sides use knows neither; of the contract it knows how long and of what kind a field may be.',
    ),
    never('ui-knows-no-operation', { path: '^app/_ui/' }, { path: '^(lib/|app/(?!_ui/))' }, 'The design system knows no operation.'),
    never(
      'shared-knows-no-feature',
      { path: '^app/_shared/' },
      { path: '^app/\\((portal|public)\\)/' },
      'What features share knows no feature.',
    ),
    never(
      'feature-never-feature',
      // Of a folder named like (home) the brackets are no part of the match, for the tool puts it into a pattern as it is.
      { path: '^app/\\((portal|public)\\)/\\(?([^/()]+)\\)?/' },
      { path: '^app/\\((portal|public)\\)/[^/]+/', pathNot: '^app/\\($1\\)/\\(?$2\\)?/' },
      'What two features need lies in app/_shared.',
    ),
    never(
      'part-never-part',
      { path: '^app/\\(portal\\)/([^/]+)/\\[[^/]+\\]/([^/]+)/' },
      { path: '^app/\\(portal\\)/[^/]+/(new|\\[[^/]+\\]/[^/]+)/', pathNot: '^app/\\(portal\\)/$1/\\[[^/]+\\]/$2/' },
      'What two parts of a server need lies in a folder above both, or in app/_shared.',
    ),
    never(
      'new-never-part',
      { path: '^app/\\(portal\\)/[^/]+/new/' },
      { path: '^app/\\(portal\\)/[^/]+/\\[[^/]+\\]/' },
      'What adding a server and its pages need lies in a folder above both, or in app/_shared.',
    ),
    never(
      'reads-know-no-feature',
      { path: '^app/api/' },
      { path: '^app/\\((portal|public)\\)/' },
      'What a page and its reads need lies in app/_shared.',
    ),
    never(
      'machines-never-routes',
      { path: '^lib/service/machines/' },
      { path: '^lib/service/(routes|http|main|store)' },
      'main, http, routes, machines, ssh: downwards only.',
    ),
    never(
      'only-machines-know-ssh',
      // open.ts puts the service together, and so hands the machines their connections.
      { path: '^lib/service/(?!(machines|ssh)/|open\\.ts$)' },
      { path: '^lib/service/ssh/' },
      'main, http, routes, machines, ssh: each knows the next one only.',
    ),
    never(
      'ssh-is-the-lowest',
      { path: '^lib/service/ssh/' },
      { path: '^lib/service/(routes|http|main|store|machines/(?!machine\\.ts))' },
      'main, http, routes, machines, ssh: downwards only.',
    ),
    never(
      'facts-and-changes-are-handed-a-transport',
      { path: '^lib/service/machines/debian/(facts|changes|steps)/' },
      { path: '^lib/service/ssh/', dependencyTypesNot: ['type-only'] },
      'Values below, prose above.',
    ),
    never('one-door-ssh2', { pathNot: '^(lib/service/ssh/|tests/)' }, { path: '(^|node_modules/)ssh2(/|$)' }, 'ssh2 has one door.'),
    never(
      'one-door-prisma',
      { path: outside('lib/portal/', 'lib/service/store/', 'prisma/', 'tests/') },
      { path: '^prisma/generated/' },
      'Prisma has one door a side.',
    ),
    never(
      'one-door-next-auth',
      { pathNot: '^(lib/portal/identity/|app/api/auth/|tests/)' },
      { path: 'node_modules/next-auth/' },
      'next-auth has one door.',
    ),
    never(
      'one-door-notices',
      { pathNot: '^(app/_ui/|tests/)' },
      { path: '(^|/)node_modules/sonner/', dependencyTypesNot: ['type-only'] },
      'Notices are asked for by app/_ui/toast: another copy of what shows them is listened to by nobody.',
    ),
    never(
      'one-door-egress',
      { pathNot: '^(lib/portal/(upstream|entry/front)/|tests/)' },
      { path: '((^|/)node_modules/undici/|^(node:)?https?$|^(node:)?http2$)', dependencyTypesNot: ['type-only'] },
      'Outgoing HTTP has one door.',
    ),
    never(
      'only-custody-opens-sealed-keys',
      { path: outside('lib/portal/custody/', 'lib/service/store/', 'lib/sealing/', 'tests/') },
      { path: '^lib/sealing/envelope' },
      'Only custody and the service’s store open what is sealed.',
    ),
    ...downwards('lib/portal/', 'portal', layers),
    ...downwards('lib/portal/subjects/', 'subjects', subjects),
    ...downwards('lib/portal/views/', 'views', views),
    never(
      'only-the-spine-calls-upstream',
      { path: outside('lib/portal/(upstream|spine)/', 'tests/') },
      { path: '^lib/portal/upstream/(call|with-key|egress)\\.ts' },
      'No other way leads upstream for a person.',
    ),
    never(
      'calls-without-a-person-have-one-door',
      {
        path: outside('lib/portal/(subjects/(sampling/sampler|listing/refresh|connections/prove)|jobs/relay/attach)\\.ts', 'tests/'),
      },
      { path: '^lib/portal/upstream/unattended' },
      'Nobody’s rights are looked at behind this door.',
    ),
    never(
      'only-upstream-sends-with-a-key',
      { path: outside('lib/portal/upstream/', 'tests/') },
      { path: '^lib/portal/upstream/(with-key|egress)\\.ts' },
      'A key is used for one call, by what makes the call.',
    ),
    never(
      'only-upstream-opens-keys',
      { path: outside('lib/portal/(custody|upstream)/', 'tests/') },
      { path: '^lib/portal/custody/open-key' },
      'A key is opened for one call, by what makes the call.',
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
