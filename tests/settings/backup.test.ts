/** The settings of scheduled backups. */
import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'

const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'

const parse = (env: Record<string, string>) => parseSettings(env, '/srv/gatehouse').backup

test('without a recipient there are no backups; with one there is one a day, and two weeks of them are kept', () => {
  expect(parse({})).toBeNull()
  expect(parse({ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/backups/' })).toEqual({
    recipient: { program: 'age', key },
    target: { folder: '/backups' },
    schedule: { atHour: 3 },
    keep: { count: 14, days: 14 },
  })
})

test('a file is a recipient for gpg, and a command takes the place of the folder', () => {
  expect(parse({ BACKUP_RECIPIENT: '/etc/backup.asc', BACKUP_COMMAND: '/usr/local/bin/store', BACKUP_EVERY_HOURS: '6' })).toEqual({
    recipient: { program: 'gpg', keyFile: '/etc/backup.asc' },
    target: { command: '/usr/local/bin/store' },
    schedule: { everyHours: 6 },
    keep: { count: 14, days: 14 },
  })
})

const ofBucket = { BACKUP_BUCKET_KEY_ID: 'GK1', BACKUP_BUCKET_SECRET_FILE: '/etc/backup-secret' }

test('a bucket takes the place of the folder', () => {
  const bucket = { bucket: 'copies', region: 'us-east-1', keyId: 'GK1', secretFile: '/etc/backup-secret' }
  expect(parse({ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://s3.example.com:9000/copies/gatehouse/own/', ...ofBucket })?.target).toEqual(
    {
      bucket: { endpoint: 'https://s3.example.com:9000', folder: 'gatehouse/own', ...bucket },
    },
  )
  const regional = { BACKUP_BUCKET: 'https://s3.example.com/copies', BACKUP_BUCKET_REGION: 'eu-1', ...ofBucket }
  expect(parse({ BACKUP_RECIPIENT: key, ...regional })?.target).toEqual({
    bucket: { endpoint: 'https://s3.example.com', folder: '', ...bucket, region: 'eu-1' },
  })
})

test.each([
  [{ BACKUP_FOLDER: '/backups' }, /^BACKUP_RECIPIENT is missing: BACKUP_FOLDER has no effect/],
  [{ BACKUP_RECIPIENT: key }, /^Set one of BACKUP_FOLDER, BACKUP_BUCKET and BACKUP_COMMAND\.$/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/b', BACKUP_COMMAND: '/c' }, /^Set one of/],
  [{ BACKUP_RECIPIENT: 'somebody@example.org', BACKUP_FOLDER: '/b' }, /^BACKUP_RECIPIENT is invalid/],
  [{ BACKUP_RECIPIENT: `${key}x`, BACKUP_FOLDER: '/b' }, /^BACKUP_RECIPIENT is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: 'backups' }, /^BACKUP_FOLDER is invalid: give an absolute path/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/srv/gatehouse/data/b' }, /^BACKUP_FOLDER must be outside/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/srv/gatehouse/keys' }, /^BACKUP_FOLDER must be outside/],
  [{ BACKUP_RECIPIENT: key, BACKUP_COMMAND: 'rclone rcat x' }, /^BACKUP_COMMAND is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_COMMAND: '/c', BACKUP_KEEP: '3' }, /^BACKUP_KEEP and BACKUP_KEEP_DAYS are for BACKUP_FOLDER/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://s3.example.com/copies', BACKUP_FOLDER: '/b', ...ofBucket }, /^Set one of/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/b', BACKUP_BUCKET_KEY_ID: 'GK1' }, /^BACKUP_BUCKET_KEY_ID has no effect/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://s3.example.com/copies' }, /^BACKUP_BUCKET needs/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 's3.example.com/copies', ...ofBucket }, /^BACKUP_BUCKET is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://s3.example.com', ...ofBucket }, /^BACKUP_BUCKET is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://a:b@s3.example.com/copies', ...ofBucket }, /^BACKUP_BUCKET is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_BUCKET: 'https://s3.example.com/copies', ...ofBucket, BACKUP_KEEP: '3' }, /^BACKUP_KEEP and/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/b', BACKUP_HOUR: '3', BACKUP_EVERY_HOURS: '4' }, /exclude each other/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/b', BACKUP_HOUR: '24' }, /^BACKUP_HOUR is invalid/],
  [{ BACKUP_RECIPIENT: key, BACKUP_FOLDER: '/b', BACKUP_EVERY_HOURS: '0' }, /^BACKUP_EVERY_HOURS is invalid/],
])('%j is refused with one sentence', (env: Record<string, string>, sentence) => {
  expect(() => parse(env)).toThrow(sentence)
})

test('a secret key given by mistake is named as such and not repeated', () => {
  const secret = 'AGE-SECRET-KEY-1QQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQ'
  expect(() => parse({ BACKUP_RECIPIENT: secret, BACKUP_FOLDER: '/b' })).toThrow(/^(?!.*QQPQQ).*is a secret key of age/)
})
