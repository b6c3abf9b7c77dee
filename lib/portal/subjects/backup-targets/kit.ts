/** The recovery kit of a backup target: all that restic needs to read its copies without Gatehouse. It has the server key, never the maintenance key. */
import 'server-only'
import { createHash } from 'node:crypto'
import type { BackupTargetKeys } from '@/lib/portal/custody/backup-target'
import type { BackupCopy, BackupRepository, BackupTarget } from '@/prisma/generated/portal/client'
import { readAddress } from './address'
import { accessOf, type KitAccess, quote } from './kit-access'
import { folderOf } from './repository'

/** newest: of each site, and of the server itself, the newest copy that is complete. password: of the repository. */
export type KitRepository = { row: BackupRepository; password: string; newest: readonly BackupCopy[] }

/** The confirmation code. It changes with each new repository and with new keys of the target. Not a secret. */
export function codeOfKit(
  target: Pick<BackupTarget, 'id' | 'secretVersion'>,
  repositories: readonly Pick<BackupRepository, 'id'>[],
): string {
  const ids = repositories.map(({ id }) => id).sort()
  const digest = createHash('sha256')
    .update(JSON.stringify([target.id, target.secretVersion, ids]))
    .digest('hex')
    .toUpperCase()
  return `${digest.slice(0, 4)}-${digest.slice(4, 8)}`
}

/** A text to print. Lines that begin with four spaces are commands, which are run as they are. */
export function renderKit(target: BackupTarget, keys: BackupTargetKeys, repositories: readonly KitRepository[], now: Date): string {
  const access = accessOf(readAddress(target), keys)
  const code = codeOfKit(
    target,
    repositories.map(({ row }) => row),
  )
  const head = [
    `RECOVERY KIT · ${target.label}`,
    '',
    `Made by Gatehouse on ${minuteOf(now)} UTC · confirmation code ${code}`,
    '',
    'With this text and the program restic, anybody can read the copies below without Gatehouse.',
    'Keep it where neither your servers nor Gatehouse are: on paper, or on a device that is offline.',
    'It is replaced by a new kit when a server sends its first copy, or the keys of the target change.',
    '',
    ...access.facts,
    '',
    access.first,
    '',
    ...access.commands.map((command) => `    ${command}`),
  ]
  return `${[...head, ...repositories.flatMap((each, place) => partOf(target, access, each, serverFolderOf(place)))].join('\n')}\n`
}

function partOf(
  target: BackupTarget,
  { repositoryIn, restic }: KitAccess,
  { row, password, newest }: KitRepository,
  serverFolder: string,
): string[] {
  const repository = repositoryIn(folderOf(target, row))
  return [
    '',
    `SERVER · ${row.serverName.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')}`,
    '',
    `Repository         ${repository}`,
    `Password           ${password}`,
    '',
    '    export RESTIC_REPOSITORY='.concat(quote(repository)),
    '    export RESTIC_PASSWORD='.concat(quote(password)),
    `    ${restic} snapshots`,
    ...newest.flatMap((copy) => partOfCopy(copy, restic, copy.domain || serverFolder)),
  ]
}

// A service says them. People run the commands as they are, so nothing in them means anything to a shell, restic or tar, or leads to another folder.
const plain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,320}$/

const isHash = /^[0-9a-f]{64}$/

/** No domain has an underscore. The commands of all servers run in one folder. */
const serverFolderOf = (place: number): string => (place === 0 ? 'server_itself' : `server_itself_${place + 1}`)

/** In the archive of a site, files has its files and database.sql its database. In that of a server, etc, home and others are what they were there. */
function partOfCopy({ domain, backup, snapshot, sha256, endedAt }: BackupCopy, restic: string, folder: string): string[] {
  if (![folder, backup, snapshot].every((each) => plain.test(each))) return []
  const archive = backup.replace(/\.(zst|gz)$/, '')
  return [
    '',
    `${domain === '' ? 'The server itself' : `Site ${domain}`}: newest copy of ${minuteOf(endedAt ?? new Date(0))} UTC. ${placesOf(domain, folder)}`,
    '',
    `    ${restic} restore ${snapshot} --target .`,
    ...(isHash.test(sha256) ? [`    echo '${sha256}  ${archive}' | sha256sum -c`] : []),
    `    mkdir ${folder}`,
    `    tar -xf ${archive} -C ${folder}`,
  ]
}

const placesOf = (domain: string, folder: string): string =>
  domain === ''
    ? `This restores its files to ./${folder} and its databases, one compressed dump each, to ./${folder}/databases.`
    : `This restores its files to ./${folder}/files and its database to ./${folder}/database.sql.`

const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')
