/** Copies of a site's backups to a bucket, against restic alone that sends the same archive: time, bytes on the wire, memory. */
import { startInstalled } from '../hosts/installed'
import { gatewayAddress } from '../hosts/lab/network'
import { openHttpService } from '../hosts/sites/http-service'
import { type BucketServer, startBucketServer } from '../support/bucket-server'
import { timeMs } from './ansible'
import type { Figure } from './figure'
import { type Measured, must, newSite, type Site } from './measured-site'
import type { Section } from './report'
import { timeJob } from './site-steps'

const password = 'p'.repeat(43)
const megabyte = 1_000_000

const changes = ['10 MB in one file', '1 MB in each of ten files'] as const

export async function measureCopies(): Promise<Section> {
  await using bucket = await startBucketServer(gatewayAddress)
  await using admitted = await startInstalled('bookworm')
  await using service = await openHttpService(admitted)
  const measured = { admitted, service }
  const site = await newSite(measured, 'copies.test')
  await must(
    measured,
    `cd /home/${site.user}/public && for file in {1..100}; do head -c 10M /dev/urandom >$file; done; chown -R ${site.user}: .; apt-get -qq install restic >/dev/null`,
  )
  const bare = bareRestic(bucket)
  await must(measured, bare.init)
  const figures = [...(await takeNight('the first night', measured, { site, bucket, bare }))]
  for (const change of changes) {
    const files = change === changes[0] ? '50' : '{11..20}'
    const bytes = change === changes[0] ? '10M' : '1M'
    const how = `cd /home/${site.user}/public && for file in ${files}; do head -c ${bytes} /dev/urandom | dd of=$file bs=1M seek=${change === changes[0] ? 0 : 4} conv=notrunc status=none; done`
    await must(measured, how)
    figures.push(...(await takeNight(`a night with ${change} changed`, measured, { site, bucket, bare })))
  }
  return {
    title: 'Copies elsewhere',
    how: 'A site of 1 GB that cannot be compressed, in 100 files, on a real host with Debian 12, to a bucket on the same machine; beside restic alone, which sends the same archive to another repository.',
    figures,
  }
}

type Night = { site: Site; bucket: BucketServer; bare: ReturnType<typeof bareRestic> }

async function takeNight(night: string, measured: Measured, { site, bucket, bare }: Night): Promise<Figure[]> {
  await timeJob(measured.service, `/sites/${site.id}/backup/creates`)
  const first = night.startsWith('the first')
  const before = bucket.received()
  const ours = await timeJob(measured.service, `/sites/${site.id}/copies`, fieldsOf(bucket))
  const sent = bucket.received() - before
  const theirs = await timeMs(() => must(measured, bare.copy))
  const theirSent = bucket.received() - before - sent
  return [
    { what: `${night}, a copy`, value: ours.ms, unit: 'ms' },
    { what: `${night}, restic alone`, value: theirs, unit: 'ms' },
    { what: `${night}, a copy against it`, value: ours.ms / theirs, unit: 'times', target: 1.2, floor: 2 },
    { what: `${night}, sent`, value: sent / megabyte, unit: 'MB', ...(!first && { target: 30, floor: 40 }) },
    { what: `${night}, sent by restic alone`, value: theirSent / megabyte, unit: 'MB' },
  ]
}

const fieldsOf = ({ fields, endpoint }: BucketServer): [string, string][] => [
  ['endpoint', endpoint],
  ['region', fields.region ?? ''],
  ['bucket', fields.bucket ?? ''],
  ['folder', 'ours'],
  ['key_id', fields.serverKeyId ?? ''],
  ['key_secret', fields.serverKeySecret ?? ''],
  ['password', password],
]

/** Commands for the host, with the limits that copies have. */
function bareRestic({ fields, endpoint }: BucketServer) {
  const environment = [
    `RESTIC_REPOSITORY=s3:${endpoint}/${fields.bucket}/bare`,
    `RESTIC_PASSWORD=${password}`,
    `AWS_ACCESS_KEY_ID=${fields.serverKeyId}`,
    `AWS_SECRET_ACCESS_KEY=${fields.serverKeySecret}`,
    `AWS_DEFAULT_REGION=${fields.region}`,
    'GOMEMLIMIT=200MiB',
    'GOGC=50',
  ].join(' ')
  const restic = `env ${environment} restic --no-cache --quiet`
  const newest = '"$(ls -t /var/backups/gatehouse-sites/copies.test-*.tar.zst | head -n 1)"'
  return {
    init: `${restic} init --repository-version 2`,
    copy: `set -o pipefail; zstd -q -dc ${newest} | ${restic} backup --stdin --stdin-filename copies.tar --host gatehouse`,
  }
}
