/** How the commands of a recovery kit reach a target of each kind, with the server key alone. */
import 'server-only'
import type { BackupTargetKeys, BucketKey, SftpKey } from '@/lib/portal/custody/backup-target'
import type { BucketAddress, FolderAddress, SftpAddress, TargetAddress } from './address'

/** facts: lines to read. first: what to do before the commands. restic: how it is called after them. repositoryIn: by the folder of a repository. */
export type KitAccess = {
  facts: readonly string[]
  first: string
  commands: readonly string[]
  restic: string
  repositoryIn: (folder: string) => string
}

export function accessOf(address: TargetAddress, keys: BackupTargetKeys): KitAccess {
  if (address.kind === 's3' && keys.kind === 's3') return ofBucket(address, keys.server)
  if (address.kind === 'sftp' && keys.kind === 'sftp') return ofSftp(address, keys.server)
  if (address.kind === 'folder') return ofFolder(address)
  throw new Error('The keys of a target are of another kind than its address.')
}

const first = 'Run this first, in a shell on Debian:'

const ofBucket = ({ endpoint, region, bucket }: BucketAddress, { accessKeyId, secretAccessKey }: BucketKey): KitAccess => ({
  facts: [
    `Address            ${endpoint}`,
    `Region             ${region}`,
    `Bucket             ${bucket}`,
    `Access key ID      ${accessKeyId}`,
    `Access key secret  ${secretAccessKey}`,
  ],
  first,
  commands: [
    'apt-get install restic',
    `export AWS_ACCESS_KEY_ID=${quote(accessKeyId)}`,
    `export AWS_SECRET_ACCESS_KEY=${quote(secretAccessKey)}`,
    `export AWS_DEFAULT_REGION=${quote(region)}`,
  ],
  restic: 'restic',
  repositoryIn: (folder) => `s3:${endpoint}/${bucket}/${folder}`,
})

/** Only the host key that a member confirmed is accepted. */
function ofSftp({ host, port, user, hostKey, access }: SftpAddress, { privateKey }: SftpKey): KitAccess {
  const options = [
    'UserKnownHostsFile=$PWD/gatehouse-hosts',
    'GlobalKnownHostsFile=/dev/null',
    'HostKeyAlias=target',
    `HostKeyAlgorithms=${hostKey.split(' ', 1)[0]}`,
    'StrictHostKeyChecking=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
  ]
  const ssh = `ssh -F /dev/null -i $PWD/gatehouse-key ${options.map((option) => `-o ${option}`).join(' ')} -p ${port} -l ${user} ${host}`
  const byRclone = access === 'rclone'
  return {
    facts: [`Host               ${host}`, `Port               ${port}`, `User               ${user}`, `Host key           ${hostKey}`],
    first: 'Run this first, in a shell on Debian, in an empty folder whose path has no spaces:',
    commands: [
      'apt-get install restic openssh-client',
      '(umask 077; : >gatehouse-key)',
      ...linesOf(privateKey).map((line) => `echo ${quote(line)} >>gatehouse-key`),
      `echo ${quote(`target ${hostKey}`)} >gatehouse-hosts`,
      `export GATEHOUSE_SSH="${ssh}${byRclone ? '' : ' -s sftp'}"`,
    ],
    restic: `restic -o ${byRclone ? 'rclone.program' : 'sftp.command'}="$GATEHOUSE_SSH"`,
    // The line of authorized_keys takes the name of the repository.
    repositoryIn: (folder) => (byRclone ? `rclone:${folder.split('/').at(-1)}` : `sftp:target:${folder}`),
  }
}

/** As OpenSSH reads it from a file. */
const linesOf = (privateKey: string): string[] => [
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  ...(privateKey.match(/.{1,70}/g) ?? []),
  '-----END OPENSSH PRIVATE KEY-----',
]

const ofFolder = ({ folder }: FolderAddress): KitAccess => ({
  facts: [`Folder             ${folder}`],
  first: `Mount the storage at ${folder}, or change that path below. Run this first, in a shell on Debian:`,
  commands: ['apt-get install restic'],
  restic: 'restic',
  repositoryIn: (repository) => repository,
})

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
