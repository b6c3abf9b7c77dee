/** A break of each rule about lib/portal: the file that breaks it, what it says, and what has to exist for that. */

type Break = { rule: string; file: string; text: string; other: string }

/** A file in the room `from` imports one of the room `to`, both below lib/portal. A room that is a file has its ending. */
function plant(rule: string, from: string, to: string, place = 0): Break {
  const [file, other] = [fileIn(from, `a${place}`), fileIn(to, 'b')]
  return { rule, file, text: `import { nothing } from '@/${other.replace('.ts', '')}'\nexport const a = nothing\n`, other }
}

const fileIn = (room: string, name: string) => `lib/portal/${room.endsWith('.ts') ? room : `${room}/${name}.ts`}`

const layers = [
  'base',
  'custody',
  'audit',
  'notifications',
  'identity',
  'access',
  'upstream',
  'spine',
  'subjects',
  'jobs',
  'batches',
  'approvals',
  'views',
  'delivery',
  'entry',
]

/** Each layer imports the next one above. */
const upwards = layers.slice(0, -1).map((layer, place) => [`portal-${layer}-imports-downwards`, layer, layers[place + 1] ?? ''] as const)

/** Beside each other they make one tree, so that the tool need not run for each. */
export const portalBreaks: readonly Break[] = (
  [
    ...upwards,
    ['portal-base-imports-downwards', 'base/request', 'identity'],
    ['portal-spine-imports-downwards', 'spine', 'entry/front'],
    ['portal-is-all-tiers', 'a.ts', 'base'],
    ['portal-is-all-tiers', 'sites', 'base'],
    ['subjects-marks-imports-downwards', 'subjects/labels', 'subjects/samples'],
    ['subjects-findings-imports-downwards', 'subjects/findings', 'subjects/servers'],
    ['subjects-listing-imports-downwards', 'subjects/listing', 'subjects/servers'],
    ['subjects-rows-imports-downwards', 'subjects/servers', 'subjects/spine.ts'],
    ['subjects-rows-imports-downwards', 'subjects/servers', 'subjects/sites'],
    ['subjects-spine-imports-downwards', 'subjects/spine.ts', 'subjects/connections'],
    ['subjects-acts-imports-downwards', 'subjects/counted', 'subjects/connections'],
    ['subjects-edits-imports-downwards', 'subjects/cron', 'subjects/firewall'],
    ['subjects-is-all-tiers', 'subjects/a.ts', 'base'],
    ['views-parts-imports-downwards', 'views/history', 'views/home'],
    ['views-is-all-tiers', 'views/a.ts', 'base'],
    ['only-the-spine-calls-upstream', 'subjects/cron', 'upstream/call.ts'],
    ['calls-without-a-user-in-one-place', 'subjects/cron', 'upstream/unattended.ts'],
    ['calls-without-a-user-in-one-place', 'spine', 'upstream/unattended.ts'],
    ['only-upstream-sends-with-a-key', 'spine', 'upstream/with-key.ts'],
    ['archives-in-one-place', 'spine', 'upstream/archive.ts'],
    ['only-delivery-posts-to-webhooks', 'subjects/cron', 'upstream/hook.ts'],
    ['only-delivery-opens-channels', 'subjects/connections', 'custody/channel.ts'],
    ['only-backup-targets-open-theirs', 'subjects/connections', 'custody/backup-target.ts'],
    ['only-backup-targets-call-buckets', 'subjects/cron', 'upstream/bucket.ts'],
    ['only-upstream-opens-keys', 'subjects/connections', 'custody/open-key.ts'],
  ] as const
).map(([rule, from, to], place) => plant(rule, from, to, place))
